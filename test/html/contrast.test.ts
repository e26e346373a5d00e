// The contrast of colors that carry meaning, in light and dark (WCAG 2.2, 1.4.3 and 1.4.11).
import t from 'tap';
import { ASSETS } from '../../src/html/assets.ts';

/** Returns the colors of a style sheet by name, as [light, dark], each [red, green, blue]. */
function tokensOf(name: string): Map<string, number[][]> {
  const body = String(ASSETS.get(name)?.body);
  const tokens = body.matchAll(/--([\w-]+): light-dark\(#(\w{6}),#(\w{6})\)/g);
  return new Map(
    [...tokens].map(([, token = '', ...colors]) => [
      token,
      colors.map((hex) => hex.match(/../g)?.map((two) => parseInt(two, 16)) ?? []),
    ]),
  );
}

/** Returns the relative luminance as WCAG defines it. */
function luminance(color: number[]): number {
  const [red = 0, green = 0, blue = 0] = color.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: number[], other: number[]): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

for (const [sheet, pairs] of Object.entries({
  'console.css': [
    ['edge', ['panel', 'ground', 'hover'], 3],
    ['ink', ['panel', 'ground', 'hover'], 7],
    ['dim', ['panel', 'ground', 'hover'], 4.5],
    ['accent', ['panel', 'ground', 'on-accent'], 4.5],
    ['good', ['panel', 'hover', 'good-soft'], 4.5],
    ['test', ['test-soft'], 4.5],
    ['warn', ['panel', 'hover', 'warn-soft'], 4.5],
    ['error', ['panel', 'hover', 'error-soft'], 4.5],
    ['s1', ['panel'], 3],
    ['s2', ['panel'], 3],
  ],
  'style.css': [['edge', ['panel', 'ground', 'field'], 3]],
} satisfies Record<string, [string, string[], number][]>)) {
  t.test(`what has a meaning is told from what it stands on: ${sheet}`, async (t) => {
    const tokens = tokensOf(sheet);
    for (const [token, grounds, min] of pairs) {
      for (const ground of grounds) {
        for (const scheme of [0, 1]) {
          const [one, other] = [token, ground].map((name) => tokens.get(name)?.[scheme]);
          const ratio = one && other ? contrast(one, other) : 0;
          t.ok(
            ratio >= min,
            `--${token} on --${ground}, ${scheme === 0 ? 'light' : 'dark'}: ${ratio.toFixed(2)}, at least ${min}`,
          );
        }
      }
    }
  });
}
