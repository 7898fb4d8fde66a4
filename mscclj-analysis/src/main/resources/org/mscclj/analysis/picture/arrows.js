// Arrows from causes to waits: all in the window while they are few, otherwise those of one operation or lane.
const mostArrows = 150;
const mostChosenArrows = 600;
const dashes = {signal: [], packets: [6, 3], semaphore: [2, 3], barrier: [8, 3, 2, 3], proxy: [12, 4]};

function drawArrow(paint, dependency, scrollTop, colour, width) {
  const from = causeOf[dependency];
  const to = effectOf[dependency];
  const x0 = xOf(axis.right(from));
  const y0 = middle(laneOf[from]) - scrollTop;
  const x1 = Math.max(xOf(axis.worksFrom(to)), xOf(axis.left(to)));
  const y1 = middle(laneOf[to]) - scrollTop;
  const bend = Math.min(Math.max(Math.abs(x1 - x0) / 2, 10), 60);
  paint.strokeStyle = paint.fillStyle = colour;
  paint.lineWidth = width;
  paint.setLineDash(dashes[picture.kinds[picture.kind[dependency]]]);
  paint.beginPath();
  paint.moveTo(x0, y0);
  paint.bezierCurveTo(x0 + bend, y0, x1 - bend, y1, x1, y1);
  paint.stroke();
  paint.setLineDash([]);
  const size = 3 + width * 2;
  paint.beginPath();
  paint.moveTo(x1, y1);
  paint.lineTo(x1 - size, y1 - size * 0.55);
  paint.lineTo(x1 - size, y1 + size * 0.55);
  paint.fill();
}

// The dependencies between visible lanes with one end in the window; null if there are too many.
function arrowsInWindow(firstLane, lastLane) {
  const found = new Set();
  let looked = 0;
  for (let lane = firstLane; lane <= lastLane; lane++) {
    for (let i = firstBeyond(lane, axis.from); i < laneStart[lane + 1] && axis.left(i) < axis.to; i++) {
      for (const dependency of [...dependenciesInto(i), ...dependenciesFrom(i)]) found.add(dependency);
      if (found.size > mostArrows || ++looked > 20 * mostArrows) return null;
    }
  }
  return [...found];
}

function arrowsOfLane(lane) {
  const found = [];
  for (let i = laneStart[lane]; i < laneStart[lane + 1] && found.length < mostChosenArrows; i++) {
    if (axis.right(i) >= axis.from && axis.left(i) <= axis.to) {
      for (const dependency of dependenciesInto(i)) found.push([dependency, 'cause']);
      for (const dependency of dependenciesFrom(i)) found.push([dependency, 'effect']);
    }
  }
  return found;
}

function arrowsOfSpan(i) {
  return [...dependenciesInto(i).map(dependency => [dependency, 'cause']),
    ...dependenciesFrom(i).map(dependency => [dependency, 'effect'])].slice(0, mostChosenArrows);
}
