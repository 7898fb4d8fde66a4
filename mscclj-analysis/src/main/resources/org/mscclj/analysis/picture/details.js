// The details of an operation: below the lanes for the selected one, beside the pointer for the one under it.
const details = document.getElementById('details');
const tip = document.getElementById('tip');
const mostLinks = 12;

function line(parent, name, content) {
  const element = document.createElement('p');
  element.className = name;
  element.textContent = content;
  parent.append(element);
  return element;
}

function links(title, dependencies, other) {
  if (dependencies.length === 0) return;
  const row = line(details, '', '');
  const label = document.createElement('span');
  label.className = 'where';
  label.textContent = title + ' ';
  row.append(label);
  for (const dependency of dependencies.slice(0, mostLinks)) {
    const i = other[dependency];
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = picture.kinds[picture.kind[dependency]] + ': ' + place(i) + ' (' + operationName(i) + ')';
    button.addEventListener('click', () => { choose(i); scroller.focus({preventScroll: true}); });
    row.append(button);
  }
  if (dependencies.length > mostLinks) row.append('and ' + (dependencies.length - mostLinks) + ' more');
}

function tellChosen() {
  details.replaceChildren();
  document.getElementById('keys').hidden = chosen >= 0;
  if (chosen < 0) return;
  line(details, 'where', place(chosen));
  line(details, 'operation', operationText(chosen));
  line(details, 'numbers', numbers(chosen));
  links('waits for', dependenciesInto(chosen), causeOf);
  links('waited for by', dependenciesFrom(chosen), effectOf);
}

function tellPointed(event) {
  tip.replaceChildren();
  if (pointed >= 0) {
    line(tip, 'where', place(pointed));
    line(tip, 'operation', operationText(pointed));
    line(tip, 'numbers', numbers(pointed));
    const causes = dependenciesInto(pointed);
    if (causes.length > 0) {
      line(tip, 'where', 'waits for ' + place(causeOf[causes[0]]) + (causes.length > 1 ? ' and ' + (causes.length - 1) + ' more' : ''));
    }
  } else {
    line(tip, 'where', laneName(pointedLane));
    line(tip, 'numbers', laneNumbers(pointedLane));
  }
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  const right = event.clientX + 16 + box.width > innerWidth;
  const below = event.clientY + 18 + box.height > innerHeight;
  tip.style.left = Math.max(4, right ? event.clientX - box.width - 12 : event.clientX + 16) + 'px';
  tip.style.top = Math.max(4, below ? event.clientY - box.height - 12 : event.clientY + 18) + 'px';
}

// Selects an operation, and scrolls it into the window.
function choose(i) {
  chosen = i;
  if (i >= 0) reveal(i);
  tellChosen();
  draw();
}

function reveal(i) {
  const lane = laneOf[i];
  const rank = lanes[lane].rank;
  const top = rankLanes[rank][0] === lane && !collapsed[rank] ? rankTop[rank] : laneTop[lane];
  const seen = scroller.clientHeight - axisHeight;
  if (top < scroller.scrollTop) scroller.scrollTop = top;
  const bottom = laneTop[lane] + laneHeight[lane] + 4;
  if (bottom > scroller.scrollTop + seen) scroller.scrollTop = bottom - seen;
  const left = axis.left(i);
  const right = axis.right(i);
  if (left < axis.from || right > axis.to) {
    if (right - left > axis.to - axis.from) move(left - axis.from);
    else move((left + right) / 2 - (axis.from + axis.to) / 2);
  }
}
