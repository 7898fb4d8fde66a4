// A strip of the whole launch: the number of active lanes of each group, with the window over it.
const overview = document.getElementById('overview');
const loads = new Map();

// For each column of the strip and each group, the number of active lanes.
function load(columns) {
  const key = axis.name + columns;
  if (loads.has(key)) return loads.get(key);
  const sums = picture.groups.map(() => new Float64Array(columns + 2));
  const scale = columns / axis.extent;
  for (let i = 0; i < spanCount; i++) {
    const of = sums[picture.groups.indexOf(picture.groupOfText[text[i]])];
    edge(of, axis.worksFrom(i) * scale, 1);
    edge(of, axis.right(i) * scale, -1);
  }
  for (const of of sums) for (let k = 1; k < columns; k++) of[k] += of[k - 1];
  let most = 0;
  for (let k = 0; k < columns; k++) most = Math.max(most, sums.reduce((sum, of) => sum + of[k], 0));
  loads.clear();
  loads.set(key, {sums, most: Math.max(most, 1)});
  return loads.get(key);
}

// A running sum makes a step at this place, shared between two columns.
function edge(of, at, sign) {
  const column = Math.min(Math.floor(at), of.length - 2);
  of[column] += sign * (1 - (at - column));
  of[column + 1] += sign * (at - column);
}

function drawOverview() {
  const width = overview.clientWidth;
  const height = overview.clientHeight;
  const density = window.devicePixelRatio || 1;
  overview.width = Math.round(width * density);
  overview.height = Math.round(height * density);
  const paint = overview.getContext('2d');
  paint.setTransform(density, 0, 0, density, 0, 0);
  const columns = Math.max(1, Math.floor(width - gutter - 8));
  const {sums, most} = load(columns);
  paint.fillStyle = theme.band;
  paint.fillRect(gutter, 0, columns, height);
  for (let k = 0; k < columns; k++) {
    let y = height;
    sums.forEach((of, group) => {
      const part = of[k] / most * height;
      paint.fillStyle = theme.fill[picture.groups[group]];
      paint.fillRect(gutter + k, y - part, 1, part);
      y -= part;
    });
  }
  paint.fillStyle = theme.faint;
  paint.font = font;
  paint.textBaseline = 'middle';
  paint.fillText('lanes at work,', 8, height / 2 - 7);
  paint.fillText('at most ' + Math.round(most) + ' of ' + lanes.length, 8, height / 2 + 7);
  paint.strokeStyle = theme.focus;
  paint.lineWidth = 2;
  const left = gutter + axis.from / axis.extent * columns;
  paint.strokeRect(left + 1, 1, Math.max((axis.to - axis.from) / axis.extent * columns - 2, 2), height - 2);
}

let dragging = false;
overview.addEventListener('pointerdown', event => {
  dragging = true;
  overview.setPointerCapture(event.pointerId);
  centre(event);
});
overview.addEventListener('pointermove', event => { if (dragging) centre(event); });
overview.addEventListener('pointerup', () => { dragging = false; });

function centre(event) {
  const unit = (event.offsetX - gutter) / (overview.clientWidth - gutter - 8) * axis.extent;
  move(unit - (axis.from + axis.to) / 2);
  draw();
}
