// Buttons, and the first picture.
const button = (id, action) => document.getElementById(id).addEventListener('click', () => { action(); draw(); });

function use(next) {
  axis = next;
  for (const each of [clock, steps]) document.getElementById(each.name).setAttribute('aria-pressed', String(each === axis));
  if (chosen >= 0) reveal(chosen);
  draw();
}

button('clock', () => use(clock));
button('steps', () => use(steps));
button('in', () => zoomHere(0.5));
button('out', () => zoomHere(2));
button('fit', () => show(0, axis.extent));
button('collapse', () => collapseAll(!collapsed.every(Boolean)));
heightInput.addEventListener('input', () => { placeRows(); if (chosen >= 0) reveal(chosen); draw(); });
arrowChoice.addEventListener('change', draw);
showCritical.addEventListener('change', draw);

const find = document.getElementById('find');
find.addEventListener('input', () => {
  const wanted = find.value.trim().toLowerCase();
  matching = wanted === '' ? null : picture.texts.map(operation => operation.toLowerCase().includes(wanted));
  draw();
});
find.addEventListener('keydown', event => {
  if (event.key !== 'Enter' || !matching) return;
  for (let k = 1; k <= spanCount; k++) {
    const i = (chosen + k) % spanCount;
    if (matching[text[i]]) return choose(i);
  }
});

// Many steps start at a width that can be read.
const readableSteps = Math.max(8, Math.floor((scroller.clientWidth - gutter) / 46));
if (steps.extent > 1.25 * readableSteps) steps.to = readableSteps;

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { readTheme(); draw(); });
new ResizeObserver(draw).observe(scroller);
readTheme();
placeRows();
tellChosen();
drawNow();
