// Texts of numbers, operations and lanes.
const fixed = (value, digits) => value.toFixed(digits);
const nanos = value => value < 1e3 ? fixed(value, 1) + ' ns'
  : value < 1e6 ? fixed(value / 1e3, 3) + ' µs'
  : value < 1e9 ? fixed(value / 1e6, 3) + ' ms' : fixed(value / 1e9, 3) + ' s';
const grouped = value => String(value).replace(/\B(?=(\d{3})+$)/g, ',');
const operationText = i => picture.texts[text[i]];
const operationName = i => operationText(i).split(' ', 1)[0];
const laneName = lane => 'rank ' + lanes[lane].rank + ', ' + lanes[lane].name;

function place(i) {
  return laneName(laneOf[i]) + ', op ' + position[i]
    + (inner[i] > 0 ? ', inner op ' + (inner[i] - 1) + ', iteration ' + iteration[i] : '');
}

function numbers(i) {
  const parts = ['starts at ' + nanos(start[i])];
  if (ready[i] > start[i]) parts.push('waits ' + nanos(ready[i] - start[i]));
  parts.push('works ' + nanos(end[i] - ready[i]), 'ends at ' + nanos(end[i]));
  if (bytes[i] > 0) {
    const time = end[i] - ready[i];
    parts.push(grouped(bytes[i]) + ' bytes' + (time > 0 ? ' (' + fixed(bytes[i] / time, 2) + ' GB/s)' : ''));
  }
  if (critical[i]) parts.push('on the critical path');
  return parts.join(' · ');
}

function laneNumbers(lane) {
  let waits = 0;
  let works = 0;
  for (let i = laneStart[lane]; i < laneStart[lane + 1]; i++) {
    waits += ready[i] - start[i];
    works += end[i] - ready[i];
  }
  const operations = laneStart[lane + 1] - laneStart[lane];
  return grouped(operations) + (operations === 1 ? ' operation' : ' operations')
    + ' · works ' + nanos(works) + ' · waits ' + nanos(waits);
}
