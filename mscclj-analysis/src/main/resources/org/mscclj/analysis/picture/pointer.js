// Mouse, pen and touch: point, select, drag, zoom.
const nearby = 4;
let drag = null;

// The span at a position, or the nearest within a few pixels; -1 if there is none.
function spanAt(lane, x) {
  let best = -1;
  let distance = nearby;
  for (let i = firstBeyond(lane, unitAt(x - nearby)); i < laneStart[lane + 1] && xOf(axis.left(i)) <= x + nearby; i++) {
    const away = Math.max(xOf(axis.left(i)) - x, x - xOf(axis.right(i)), 0);
    if (away < distance || (away === 0 && distance === 0)) {
      best = i;
      distance = away;
    }
  }
  return best;
}

function at(event) {
  const box = scroller.getBoundingClientRect();
  const x = event.clientX - box.left - scroller.clientLeft;
  const y = event.clientY - box.top - scroller.clientTop - axisHeight;
  const row = y + scroller.scrollTop;
  const lane = y < 0 ? -1 : laneAt(row);
  const named = y >= 0 && y < bandHeight; // on the name of a rank, which stays visible
  return {x, row, lane, named, rank: y < 0 ? -1 : rankAt(row), span: lane < 0 || x < gutter ? -1 : spanAt(lane, x)};
}

function pointAt(span, lane) {
  if (span === pointed && lane === pointedLane) return;
  pointed = span;
  pointedLane = lane;
  draw();
}

scroller.addEventListener('pointermove', event => {
  if (drag && event.buttons === 0) drag = null;
  const place = at(event);
  if (drag) {
    drag.moved ||= Math.abs(event.clientX - drag.x) > nearby || Math.abs(event.clientY - drag.y) > nearby;
    if (drag.moved) {
      move(drag.from - (event.clientX - drag.x) / plotWidth * (axis.to - axis.from) - axis.from);
      if (event.pointerType === 'mouse') scroller.scrollTop = drag.top - (event.clientY - drag.y);
      draw();
    }
    tip.hidden = true;
    return;
  }
  pointAt(place.span, place.x < gutter || place.span >= 0 ? place.lane : -1);
  if (pointed >= 0 || pointedLane >= 0) tellPointed(event); else tip.hidden = true;
  scroller.style.cursor = pointed >= 0 || (place.x < gutter && place.rank >= 0 && (place.lane < 0 || place.named)) ? 'pointer' : '';
});
scroller.addEventListener('pointerleave', () => {
  pointAt(-1, -1);
  tip.hidden = true;
});
scroller.addEventListener('pointerdown', event => {
  if (event.button === 0 && event.clientX < scroller.getBoundingClientRect().left + scroller.clientWidth) {
    drag = {x: event.clientX, y: event.clientY, from: axis.from, top: scroller.scrollTop, moved: false};
  }
});
scroller.addEventListener('click', event => {
  const moved = drag?.moved;
  drag = null;
  if (moved) return;
  const place = at(event);
  if (place.x < gutter && place.rank >= 0 && (place.lane < 0 || place.named || collapsed[place.rank])) {
    collapse(place.rank, !collapsed[place.rank]);
  } else {
    choose(place.span);
  }
});
scroller.addEventListener('dblclick', event => {
  const span = at(event).span;
  if (span >= 0) {
    const size = Math.max(axis.right(span) - axis.left(span), axis.narrowest / 2);
    show(axis.left(span) - size, axis.right(span) + size);
    draw();
  }
});
scroller.addEventListener('wheel', event => {
  const x = event.clientX - scroller.getBoundingClientRect().left;
  if (event.ctrlKey || event.metaKey) {
    zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY)) * 0.008), unitAt(x));
  } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
    move((event.deltaX || event.deltaY) / plotWidth * (axis.to - axis.from));
  } else {
    return;
  }
  event.preventDefault();
  tip.hidden = true;
  draw();
}, {passive: false});
scroller.addEventListener('scroll', draw);

function collapse(rank, value) {
  collapsed[rank] = value;
  placeRows();
  document.getElementById('collapse').setAttribute('aria-pressed', String(collapsed.every(Boolean)));
  draw();
}

function collapseAll(value) {
  collapsed.fill(value);
  collapse(0, value);
  if (chosen >= 0) reveal(chosen);
}
