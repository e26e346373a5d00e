// A color of the owner's choice, readable on light and dark grounds (WCAG 2.2, 1.4.3). Pure.

export interface Accent {
  /** On light ground, and under white text. */
  readonly light: string;
  /** On dark ground, and under dark text. */
  readonly dark: string;
}

export const DEFAULT_ACCENT: Accent = { light: '#0b5cad', dark: '#7ab8ff' };

const MIN_CONTRAST = 4.5;
/** The least favorable grounds of pages and emails: style.css, mail/html.ts. */
const LIGHT_GROUND = [0xf1, 0xf3, 0xf6];
const DARK_GROUND = [0x1d, 0x21, 0x26];
const STEPS = 50;

/** @param color `#rrggbb`; made as much darker and lighter as it must be. */
export function accentOf(color: string): Accent {
  const given = color.match(/[0-9a-f]{2}/gi)?.map((two) => Number.parseInt(two, 16)) ?? [];
  return { light: readable(given, 0, LIGHT_GROUND), dark: readable(given, 255, DARK_GROUND) };
}

function readable(given: readonly number[], end: number, ground: readonly number[]): string {
  const mixed = Array.from({ length: STEPS + 1 }, (_, step) =>
    given.map((value) => Math.round(value + ((end - value) * step) / STEPS)),
  );
  const found = mixed.find((one) => contrast(one, ground) >= MIN_CONTRAST) ?? mixed.at(-1) ?? [];
  return `#${found.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** As WCAG defines it. */
function luminance(color: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = color.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** From 1 to 21. */
export function contrast(one: readonly number[], other: readonly number[]): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}
