// Keys, while the lanes have the focus.
function firstChoice() {
  const lane = Math.max(0, lastAt(laneTop, lanes.length, scroller.scrollTop + bandHeight));
  for (let k = lane; k < lanes.length; k++) if (laneStart[k + 1] > laneStart[k]) return firstIn(k, axis.from);
  return spanCount > 0 ? 0 : -1;
}

const firstIn = (lane, unit) => Math.min(firstBeyond(lane, unit), laneStart[lane + 1] - 1);

// The operation of the next lane that has any, at the same time.
function inNextLane(i, direction) {
  for (let lane = laneOf[i] + direction; lane >= 0 && lane < lanes.length; lane += direction) {
    if (laneStart[lane + 1] > laneStart[lane]) return firstIn(lane, (axis.worksFrom(i) + axis.right(i)) / 2);
  }
  return i;
}

function inLane(i, place) {
  return Math.min(Math.max(place, laneStart[laneOf[i]]), laneStart[laneOf[i] + 1] - 1);
}

// The last cause is the one that the operation waited for.
function latestCause(i) {
  return dependenciesInto(i).map(d => causeOf[d]).reduce((best, cause) => best < 0 || end[cause] > end[best] ? cause : best, -1);
}

function firstEffect(i) {
  return dependenciesFrom(i).map(d => effectOf[d]).reduce((best, effect) => best < 0 || ready[effect] < ready[best] ? effect : best, -1);
}

function alongCriticalPath(direction) {
  const at = picture.critical.indexOf(chosen);
  const next = at < 0 ? (direction > 0 ? 0 : picture.critical.length - 1) : at + direction;
  return picture.critical[Math.min(Math.max(next, 0), picture.critical.length - 1)] ?? -1;
}

function follow(i) {
  if (i >= 0) choose(i);
}

function zoomHere(factor) {
  const middleOfWindow = (axis.from + axis.to) / 2;
  const here = chosen >= 0 ? (axis.left(chosen) + axis.right(chosen)) / 2 : middleOfWindow;
  zoom(factor, here >= axis.from && here <= axis.to ? here : middleOfWindow);
}

const moves = {
  ArrowLeft: i => inLane(i, i - 1),
  ArrowRight: i => inLane(i, i + 1),
  ArrowUp: i => inNextLane(i, -1),
  ArrowDown: i => inNextLane(i, 1),
  Home: i => inLane(i, 0),
  End: i => inLane(i, spanCount),
};

const actions = {
  '+': () => zoomHere(0.5),
  '=': () => zoomHere(0.5),
  '-': () => zoomHere(2),
  '−': () => zoomHere(2),
  '0': () => show(0, axis.extent),
  '[': () => follow(alongCriticalPath(-1)),
  ']': () => follow(alongCriticalPath(1)),
  c: () => use(axis === clock ? steps : clock),
  Escape: () => choose(-1),
};

scroller.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const key = event.key;
  if (key === 'Enter') {
    if (chosen >= 0) follow(event.shiftKey ? firstEffect(chosen) : latestCause(chosen));
  } else if (key === ' ') {
    if (event.shiftKey) collapseAll(!collapsed.every(Boolean));
    else if (chosen >= 0) collapse(lanes[laneOf[chosen]].rank, !collapsed[lanes[laneOf[chosen]].rank]);
  } else if (key in moves) {
    follow(chosen < 0 ? firstChoice() : moves[key](chosen));
  } else if (key.toLowerCase() in actions || key in actions) {
    (actions[key] ?? actions[key.toLowerCase()])();
  } else {
    return;
  }
  event.preventDefault();
  draw();
});

for (const [id, direction] of [['path-back', -1], ['path-on', 1]]) {
  const button = document.getElementById(id);
  button.disabled = picture.critical.length === 0;
  button.addEventListener('click', () => {
    follow(alongCriticalPath(direction));
    draw();
  });
}
