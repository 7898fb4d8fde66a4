// Draws the visible part of all lanes, in one canvas that stays in place while the content scrolls.
const scroller = document.getElementById('lanes');
const space = document.getElementById('space');
const canvas = document.getElementById('canvas');
const note = document.getElementById('note');
const arrowChoice = document.getElementById('arrows');
const showCritical = document.getElementById('critical');
let chosen = -1;
let pointed = -1;
let pointedLane = -1;

// Round values on the axis, at least 80 pixels apart.
function tickUnit() {
  const least = (axis.to - axis.from) * 80 / plotWidth;
  const power = Math.pow(10, Math.floor(Math.log10(least)));
  const unit = power * [1, 2, 5, 10].find(times => power * times >= least * 0.999);
  return axis === steps ? Math.max(1, Math.round(unit)) : unit;
}

function eachTick(width, action) {
  const unit = tickUnit();
  for (let k = Math.ceil(axis.from / unit); k * unit <= axis.to; k++) action(k * unit, Math.round(xOf(k * unit)), unit);
}

function drawGrid(paint, width, height) {
  paint.fillStyle = theme.grid;
  eachTick(width, (tick, x) => paint.fillRect(x, 0, 1, height));
}

function drawTicks(paint, width) {
  paint.font = font;
  paint.fillStyle = theme.faint;
  paint.textAlign = 'center';
  eachTick(width, (tick, x, unit) => {
    if (x < width - 24) paint.fillText(axis === steps ? String(tick) : tickTime(tick, unit), x, axisHeight / 2);
  });
  paint.textAlign = 'left';
  paint.fillText(axis === steps ? 'step' : 'time', 8, axisHeight / 2);
}

function tickTime(tick, unit) {
  const [scale, name] = axis.to < 2e3 ? [1, ' ns'] : axis.to < 2e6 ? [1e3, ' µs'] : axis.to < 2e9 ? [1e6, ' ms'] : [1e9, ' s'];
  return (tick / scale).toFixed(Math.max(0, Math.ceil(-Math.log10(unit / scale) - 1e-9))) + name;
}

function drawBand(paint, rank, y, width) {
  const height = rankTop[rank + 1] - rankTop[rank];
  paint.fillStyle = rank % 2 === 0 ? theme.band : theme.back;
  paint.fillRect(0, y, width, height);
  paint.fillStyle = theme.grid;
  paint.fillRect(0, y, width, 1);
}

function drawLabels(paint, rank, y, firstLane, lastLane, scrollTop) {
  const height = rankTop[rank + 1] - rankTop[rank];
  const back = rank % 2 === 0 ? theme.band : theme.back;
  paint.fillStyle = back;
  paint.fillRect(0, y + 1, gutter, height - 1);
  if (!collapsed[rank]) drawLaneNames(paint, rank, firstLane, lastLane, scrollTop);
  // The rank's name stays while any of its lanes is visible.
  const head = collapsed[rank] ? collapsedHeight : bandHeight;
  const top = Math.max(y, Math.min(0, y + height - head));
  paint.fillStyle = back;
  paint.fillRect(0, top + 1, gutter, head - 2);
  paint.fillStyle = theme.text;
  paint.font = '600 12px system-ui, sans-serif';
  paint.fillText((collapsed[rank] ? '▸ ' : '▾ ') + 'rank ' + rank, 8, top + head / 2 + 1);
}

function drawLaneNames(paint, rank, firstLane, lastLane, scrollTop) {
  paint.font = font;
  let free = rankTop[rank] + bandHeight - scrollTop - 5; // below the name of the rank
  for (const lane of rankLanes[rank]) {
    const y = middle(lane) - scrollTop;
    if (lane < firstLane || lane > lastLane || y - free < 11) continue;
    free = y;
    const strong = lane === pointedLane || (chosen >= 0 && laneOf[chosen] === lane);
    paint.fillStyle = strong ? theme.text : theme.faint;
    paint.fillText(lanes[lane].name, 22, y + 0.5, gutter - 28);
  }
}

// Paints rows from scrollTop on; true if some arrows were left out because there are too many.
function drawRows(paint, width, height, scrollTop) {
  plotWidth = width - gutter - 8;
  paint.textBaseline = 'middle';
  paint.fillStyle = theme.back;
  paint.fillRect(0, 0, width, height);
  const bottom = scrollTop + height - axisHeight;
  const firstRank = Math.max(0, rankAt(scrollTop));
  const lastRank = Math.max(firstRank, lastAt(rankTop, rankCount, bottom));
  paint.save();
  paint.beginPath();
  paint.rect(0, axisHeight, width, height - axisHeight);
  paint.clip();
  paint.translate(0, axisHeight);
  for (let rank = firstRank; rank <= lastRank; rank++) drawBand(paint, rank, rankTop[rank] - scrollTop, width);
  const firstLane = Math.max(0, lastAt(laneTop, lanes.length, scrollTop));
  const lastLane = lastAt(laneTop, lanes.length, bottom);
  paint.save();
  paint.beginPath();
  paint.rect(gutter, 0, width - gutter, height);
  paint.clip();
  paint.font = font;
  drawGrid(paint, width, height);
  for (let lane = firstLane; lane <= lastLane; lane++) drawLane(paint, lane, laneTop[lane] - scrollTop, width);
  if (showCritical.checked) drawCriticalPath(paint, scrollTop, height);
  const left = drawArrows(paint, scrollTop, firstLane, lastLane);
  for (const i of [pointed, chosen]) if (i >= 0) outline(paint, i, scrollTop, theme.focus, 2.5);
  paint.restore();
  for (let rank = firstRank; rank <= lastRank; rank++) drawLabels(paint, rank, rankTop[rank] - scrollTop, firstLane, lastLane, scrollTop);
  paint.restore();
  drawTicks(paint, width);
  return left;
}

function drawArrows(paint, scrollTop, firstLane, lastLane) {
  if (arrowChoice.value === 'none') return false;
  const all = arrowChoice.value === 'few' ? arrowsInWindow(firstLane, lastLane) : [];
  (all ?? []).forEach(dependency => drawArrow(paint, dependency, scrollTop, theme.arrow, 1));
  const strong = pointed >= 0 ? arrowsOfSpan(pointed) : pointedLane >= 0 ? arrowsOfLane(pointedLane) : [];
  if (chosen >= 0 && chosen !== pointed) strong.push(...arrowsOfSpan(chosen));
  strong.forEach(([dependency, way]) => drawArrow(paint, dependency, scrollTop, theme[way], 2));
  return all === null;
}

// Draws at most once in each frame, for any number of requests.
let frame = 0;
function draw() {
  frame ||= requestAnimationFrame(drawNow);
}

function drawNow() {
  frame = 0;
  const width = scroller.clientWidth;
  const height = scroller.clientHeight;
  const density = window.devicePixelRatio || 1;
  space.style.height = rowsHeight() + axisHeight + 'px';
  if (canvas.width !== Math.round(width * density) || canvas.height !== Math.round(height * density)) {
    canvas.width = Math.round(width * density);
    canvas.height = Math.round(height * density);
    canvas.style.width = width + 'px';
    canvas.style.height = height + 'px';
  }
  const paint = canvas.getContext('2d');
  paint.setTransform(density, 0, 0, density, 0, 0);
  const left = drawRows(paint, width, height, scroller.scrollTop);
  note.textContent = left ? 'too many arrows here for all; point at an operation or a lane' : '';
  drawOverview();
}
