// The data of the page: columns of numbers, one entry for each span, lane by lane. Times are nanoseconds.
const picture = JSON.parse(document.getElementById('timeline').textContent);
const rankCount = picture.ranks.length;
const lanes = picture.ranks.flatMap(({blocks, proxies}, rank) => [
  ...Array.from({length: blocks}, (_, block) => ({rank, name: 'block ' + block})),
  ...proxies.map(name => ({rank, name})),
]);
const laneStart = new Int32Array(lanes.length + 1);
picture.count.forEach((count, lane) => { laneStart[lane + 1] = laneStart[lane] + count; });
const spanCount = laneStart[lanes.length];
const whole = name => Int32Array.from({length: spanCount}, (_, i) => picture[name][i] ?? 0);
const text = whole('text');
const position = whole('position');
const inner = whole('inner');
const iteration = whole('iteration');
const step = whole('step');
const bytes = Float64Array.from({length: spanCount}, (_, i) => picture.bytes[i] ?? 0);
const laneOf = new Int32Array(spanCount);
const start = new Float64Array(spanCount);
const ready = new Float64Array(spanCount);
const end = new Float64Array(spanCount);
lanes.forEach((lane, number) => {
  let time = 0;
  for (let i = laneStart[number]; i < laneStart[number + 1]; i++) {
    const first = i === laneStart[number];
    laneOf[i] = number;
    position[i] += first ? 0 : position[i - 1];
    iteration[i] += first ? 0 : iteration[i - 1];
    step[i] += first ? 0 : step[i - 1] + 1;
    time += picture.start[i] ?? 0;
    start[i] = time / 10;
    time += picture.wait[i] ?? 0;
    ready[i] = time / 10;
    time += picture.time[i] ?? 0;
    end[i] = time / 10;
  }
});
let lastStep = 0;
for (let i = 0; i < spanCount; i++) lastStep = Math.max(lastStep, step[i]);
const rankLanes = Array.from({length: rankCount}, () => []);
lanes.forEach((lane, number) => rankLanes[lane.rank].push(number));

// Dependencies are sorted by the waiting span; those that a span causes have a separate list.
const causeOf = new Int32Array(picture.from.length);
const effectOf = new Int32Array(picture.from.length);
const causesFrom = new Int32Array(spanCount + 1);
const effectsFrom = new Int32Array(spanCount + 1);
let waiting = 0;
picture.from.forEach((difference, i) => {
  waiting += picture.to[i];
  effectOf[i] = waiting;
  causeOf[i] = waiting + difference;
  causesFrom[waiting + 1]++;
  effectsFrom[waiting + difference + 1]++;
});
for (let i = 0; i < spanCount; i++) {
  causesFrom[i + 1] += causesFrom[i];
  effectsFrom[i + 1] += effectsFrom[i];
}
const effects = new Int32Array(effectOf.length);
const filled = effectsFrom.slice();
causeOf.forEach((cause, i) => { effects[filled[cause]++] = i; });

const dependenciesInto = i => Array.from({length: causesFrom[i + 1] - causesFrom[i]}, (_, k) => causesFrom[i] + k);
const dependenciesFrom = i => Array.from(effects.subarray(effectsFrom[i], effectsFrom[i + 1]));

const critical = new Uint8Array(spanCount);
picture.critical.forEach(i => { critical[i] = 1; });
