// Prints all lanes, with the current height and window, page by page: rows are not cut, and colours are light.
const pageWidth = 1040;
const pageHeight = 690;
const firstPageHeight = 560;
const printDensity = 2;

// Starts of pages: each page has as many whole lanes as fit.
function pageStarts() {
  const starts = [0];
  const edges = [...laneTop, ...rankTop].sort((a, b) => a - b);
  let last = 0;
  for (const edge of edges) {
    const space = (starts.length === 1 ? firstPageHeight : pageHeight) - axisHeight;
    if (edge - starts.at(-1) > space && last > starts.at(-1)) starts.push(last);
    last = edge;
  }
  return starts;
}

addEventListener('beforeprint', () => {
  document.documentElement.classList.add('printed');
  readTheme();
  const pages = document.createElement('div');
  pages.id = 'printed';
  const starts = pageStarts();
  starts.forEach((top, page) => {
    const sheet = document.createElement('canvas');
    const height = (starts[page + 1] ?? rowsHeight()) - top + axisHeight;
    sheet.width = pageWidth * printDensity;
    sheet.height = height * printDensity;
    const paint = sheet.getContext('2d');
    paint.scale(printDensity, printDensity);
    drawRows(paint, pageWidth, height, top);
    pages.append(sheet);
  });
  document.getElementById('picture').append(pages);
});

addEventListener('afterprint', () => {
  document.getElementById('printed')?.remove();
  document.documentElement.classList.remove('printed');
  readTheme();
  draw();
});
