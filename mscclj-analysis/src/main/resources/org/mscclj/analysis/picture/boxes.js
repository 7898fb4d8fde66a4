// Draws lanes: a box for each span, hatched while it waits. Spans narrower than a pixel share it.
const font = '11px system-ui, sans-serif';
let matching = null;

const widths = new Map();

function widthOf(paint, words) {
  if (!widths.has(words)) widths.set(words, paint.measureText(words).width);
  return widths.get(words);
}

function shortened(paint, full, name, width) {
  if (widthOf(paint, full) <= width) return full;
  let letters = Math.ceil(width / widthOf(paint, full) * full.length);
  while (letters > name.length + 4 && paint.measureText(full.slice(0, letters) + '…').width > width) letters--;
  return letters > name.length + 4 ? full.slice(0, letters) + '…' : name;
}

// The text, shortened to the width, but at least the name of the operation.
function boxLabel(paint, i, x, width, y) {
  const full = operationText(i);
  const name = operationName(i);
  if (widthOf(paint, name) + 5 > width) return;
  paint.fillStyle = theme.label;
  paint.fillText(shortened(paint, full, name, width - 8), x + 4, y);
}

function drawBox(paint, i, left, right, y, height) {
  const group = picture.groupOfText[text[i]];
  const width = Math.max(1, right - left - (right - left > 4 ? 0.75 : 0));
  const works = Math.min(Math.max(xOf(axis.worksFrom(i)), left), left + width);
  const opacity = matching && !matching[text[i]] ? 0.18 : 1;
  paint.globalAlpha = opacity;
  if (works - left > 0.5) {
    // Hatches are invisible in a box of a few pixels, and slow.
    const fine = height < 5 || works - left < 3;
    paint.globalAlpha = fine ? 0.4 * opacity : opacity;
    paint.fillStyle = fine ? theme.fill[group] : theme.hatch[group];
    paint.fillRect(left, y, works - left, height);
    paint.globalAlpha = opacity;
  }
  if (left + width - works > 0.05 || works - left <= 0.5) {
    paint.fillStyle = theme.fill[group];
    paint.fillRect(works, y, Math.max(left + width - works, 0.8), height);
  }
  if (height >= 9 && width > 20) boxLabel(paint, i, left, width, y + height / 2 + 0.5);
  paint.globalAlpha = 1;
}

function drawLane(paint, lane, y, rightEdge) {
  const height = laneHeight[lane] > 6 ? laneHeight[lane] - 2 : Math.max(laneHeight[lane], 1);
  const last = laneStart[lane + 1];
  let i = firstBeyond(lane, axis.from);
  while (i < last && axis.left(i) < axis.to) {
    const left = Math.max(xOf(axis.left(i)), gutter - 2);
    const right = Math.min(xOf(axis.right(i)), rightEdge + 2);
    drawBox(paint, i, left, right, y + (laneHeight[lane] - height) / 2, height);
    i = right - left < 1 && laneOf[i] === lane ? Math.max(i + 1, firstBeyond(lane, unitAt(left + 1))) : i + 1;
  }
}

function outline(paint, i, scrollTop, colour, width) {
  const lane = laneOf[i];
  const left = xOf(axis.left(i));
  const right = Math.max(xOf(axis.right(i)), left + 2);
  paint.strokeStyle = colour;
  paint.lineWidth = width;
  paint.strokeRect(left - 0.5, laneTop[lane] - scrollTop + 1, right - left + 0.25, Math.max(laneHeight[lane] - 2, 1));
}

// Outlines of the critical path, and lines between its lanes.
function drawCriticalPath(paint, scrollTop, bottom) {
  const inside = i => laneTop[laneOf[i]] + laneHeight[laneOf[i]] >= scrollTop && laneTop[laneOf[i]] <= scrollTop + bottom
    && axis.right(i) >= axis.from && axis.left(i) <= axis.to;
  paint.setLineDash([]);
  picture.critical.forEach((i, k) => {
    if (inside(i)) outline(paint, i, scrollTop, theme.critical, laneHeight[laneOf[i]] > 6 ? 1.5 : 0.6);
    const next = picture.critical[k + 1];
    if (next !== undefined && laneOf[next] !== laneOf[i] && (inside(i) || inside(next))) {
      paint.beginPath();
      paint.moveTo(xOf(axis.right(i)), middle(laneOf[i]) - scrollTop);
      paint.lineTo(xOf(axis.worksFrom(next)), middle(laneOf[next]) - scrollTop);
      paint.strokeStyle = theme.critical;
      paint.lineWidth = 1.5;
      paint.stroke();
    }
  });
}
