// Environment variables that were probably meant as settings.
import { SETTINGS } from '../config.ts';
import { nearest } from '../text.ts';

const NAMES = Object.keys(SETTINGS);
const LOWER = NAMES.map((name) => name.toLowerCase());
/** Nothing else on a server begins so. */
const OURS = /^(?:RELAY|FLOOD)_/i;

/** Says of each variable that looks like a setting, and isn't one, which was probably meant. A value is never read. */
export const misspelt = (env: Readonly<Record<string, string | undefined>>): string[] =>
  Object.keys(env).flatMap((name) => {
    if (NAMES.includes(name)) return [];
    const meant = settingLike(name);
    if (meant === undefined && !OURS.test(name)) return [];
    return [`${name} is not a setting${meant === undefined ? '.' : `: did you mean ${meant}?`}`];
  });

/** A setting that has all words of the name, as RELAY_API_KEY has those of RELAY_KEY, or one that differs by a few letters. */
function settingLike(name: string): string | undefined {
  const words = name.toUpperCase().split(/[_-]/);
  const longer = words.length < 2 ? undefined : NAMES.find((known) => words.every((word) => known.split('_').includes(word)));
  return longer ?? (name.length > 4 ? nearest(name, LOWER)?.toUpperCase() : undefined);
}
