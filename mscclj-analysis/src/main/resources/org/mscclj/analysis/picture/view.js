// The horizontal axis: nanoseconds, or steps. A view has a window of it for each.
const gutter = 132;
const axisHeight = 24;
const stepWidth = 0.92;
const clock = {
  name: 'clock',
  extent: Math.max(picture.nanos, 1e-3),
  narrowest: Math.max(picture.nanos * 1e-7, 0.2),
  left: i => start[i],
  worksFrom: i => ready[i],
  right: i => end[i],
};
const steps = {
  name: 'steps',
  extent: lastStep + 1,
  narrowest: 2,
  left: i => step[i],
  worksFrom: i => step[i] + (end[i] > start[i] ? stepWidth * (ready[i] - start[i]) / (end[i] - start[i]) : 0),
  right: i => step[i] + stepWidth,
};
for (const axis of [clock, steps]) {
  axis.from = 0;
  axis.to = axis.extent;
  // The greatest right edge so far in each lane: the first span in a window can be searched even if spans overlap.
  axis.reach = new Float64Array(spanCount);
  for (let i = 0; i < spanCount; i++) {
    const first = i === laneStart[laneOf[i]];
    axis.reach[i] = Math.max(axis.right(i), first ? 0 : axis.reach[i - 1]);
  }
}
let axis = clock;
let plotWidth = 1;

const xOf = unit => gutter + (unit - axis.from) / (axis.to - axis.from) * plotWidth;
const unitAt = x => axis.from + (x - gutter) / plotWidth * (axis.to - axis.from);

function show(from, to) {
  const size = Math.min(Math.max(to - from, axis.narrowest), axis.extent);
  const left = Math.min(Math.max(0, from), axis.extent - size);
  axis.from = left;
  axis.to = left + size;
}

function zoom(factor, around) {
  show(around - (around - axis.from) * factor, around + (axis.to - around) * factor);
}

function move(units) {
  const size = axis.to - axis.from;
  const from = Math.min(Math.max(0, axis.from + units), axis.extent - size);
  show(from, from + size);
}

// The first span of a lane that reaches beyond a unit.
function firstBeyond(lane, unit) {
  let low = laneStart[lane];
  let high = laneStart[lane + 1];
  while (low < high) {
    const half = (low + high) >> 1;
    if (axis.reach[half] > unit) high = half; else low = half + 1;
  }
  return low;
}
