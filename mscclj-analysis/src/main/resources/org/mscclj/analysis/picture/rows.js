// Positions of lanes in pixels, from the top of the first band.
const bandHeight = 20;
const collapsedHeight = 30;
const collapsed = new Array(rankCount).fill(false);
const laneTop = new Float64Array(lanes.length);
const laneHeight = new Float64Array(lanes.length);
const rankTop = new Float64Array(rankCount + 1);
const heightInput = document.getElementById('height');
heightInput.value = lanes.length > 100 ? 15 : lanes.length > 40 ? 18 : 26;

function placeRows() {
  let y = 0;
  rankLanes.forEach((inRank, rank) => {
    rankTop[rank] = y;
    if (collapsed[rank]) {
      const each = (collapsedHeight - 4) / Math.max(1, inRank.length);
      inRank.forEach((lane, k) => { laneTop[lane] = y + 2 + k * each; laneHeight[lane] = each; });
      y += collapsedHeight;
    } else {
      y += bandHeight;
      inRank.forEach(lane => { laneTop[lane] = y; laneHeight[lane] = +heightInput.value; y += laneHeight[lane]; });
      y += 4;
    }
  });
  rankTop[rankCount] = y;
}

const rowsHeight = () => rankTop[rankCount];
const middle = lane => laneTop[lane] + laneHeight[lane] / 2;

// Index of the last entry that is at most y, or -1.
function lastAt(tops, count, y) {
  let low = 0;
  let high = count;
  while (low < high) {
    const half = (low + high) >> 1;
    if (tops[half] <= y) low = half + 1; else high = half;
  }
  return low - 1;
}

function laneAt(y) {
  const lane = lastAt(laneTop, lanes.length, y);
  return lane >= 0 && y < laneTop[lane] + laneHeight[lane] ? lane : -1;
}

function rankAt(y) {
  return y >= 0 && y < rowsHeight() ? lastAt(rankTop, rankCount, y) : -1;
}
