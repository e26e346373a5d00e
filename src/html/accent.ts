// A color that an owner chooses, made readable on light and dark backgrounds (WCAG 2.2, 1.4.3). Pure.

export interface Accent {
  /** For text on a light background, and as the background of white text. */
  readonly light: string;
  /** For text on a dark background, and as the background of dark text. */
  readonly dark: string;
}

export const DEFAULT_ACCENT: Accent = { light: '#0b5cad', dark: '#7ab8ff' };

const MIN_CONTRAST = 4.5;
/** The backgrounds of pages and emails that give the least contrast: see style.css and mail/html.ts. */
const LIGHT_GROUND = [0xf1, 0xf3, 0xf6];
const DARK_GROUND = [0x1d, 0x21, 0x26];
const STEPS = 50;

/** @param color `#rrggbb`. It is made darker and lighter only as far as contrast requires. */
export function accentOf(color: string): Accent {
  const given = color.match(/[0-9a-f]{2}/gi)?.map((digits) => Number.parseInt(digits, 16)) ?? [];
  return { light: readable(given, 0, LIGHT_GROUND), dark: readable(given, 255, DARK_GROUND) };
}

function readable(given: readonly number[], end: number, ground: readonly number[]): string {
  const mixed = Array.from({ length: STEPS + 1 }, (_, step) =>
    given.map((value) => Math.round(value + ((end - value) * step) / STEPS)),
  );
  const found = mixed.find((color) => contrast(color, ground) >= MIN_CONTRAST) ?? mixed.at(-1) ?? [];
  return `#${found.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** Relative luminance, as WCAG defines it. */
function luminance(color: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = color.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast ratio, from 1 to 21. */
export function contrast(color: readonly number[], other: readonly number[]): number {
  const [light = 0, dark = 0] = [luminance(color), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}
