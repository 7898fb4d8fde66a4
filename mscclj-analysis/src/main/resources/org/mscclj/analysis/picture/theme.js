// Colours come from the style sheet, so that light, dark and print need no others.
let theme;

function hatched(colour) {
  const tile = document.createElement('canvas');
  tile.width = tile.height = 6;
  const paint = tile.getContext('2d');
  paint.globalAlpha = 0.22;
  paint.fillStyle = colour;
  paint.fillRect(0, 0, 6, 6);
  paint.globalAlpha = 0.75;
  paint.strokeStyle = colour;
  paint.lineWidth = 1.3;
  for (const shift of [-6, 0, 6]) {
    paint.moveTo(shift - 1, 7);
    paint.lineTo(shift + 7, -1);
  }
  paint.stroke();
  return paint.createPattern(tile, 'repeat');
}

function readTheme() {
  const style = getComputedStyle(document.documentElement);
  const colour = name => style.getPropertyValue('--' + name).trim();
  theme = {};
  for (const name of ['back', 'band', 'text', 'faint', 'grid', 'edge', 'label', 'arrow', 'cause', 'effect', 'critical', 'focus']) {
    theme[name] = colour(name);
  }
  theme.fill = {};
  theme.hatch = {};
  for (const group of picture.groups) {
    theme.fill[group] = colour(group);
    theme.hatch[group] = hatched(colour(group));
  }
}
