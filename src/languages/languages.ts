// The languages in which the service speaks to recipients, and the choice among them. Pure.
import { SERVICE } from './speech.ts';
import { canonicalTag, remembered } from './tags.ts';

export { createSpeech, SERVICE, type Speech, type Wording } from './speech.ts';
export { INFORMAL, LANGUAGE_TAGS, LANGUAGES, type Language, OWN_NAMES, PLACES } from './strings.ts';
export { canonicalTag, type Direction, directionOf, MAX_TAG_LENGTH, nearestTag } from './tags.ts';
export { isolateIn, languageAttributes, runsAgainst, type Voice } from './voice.ts';

/** Without a workspace's own words. */
export const { knows: knownLanguage, languageOf, speak, translateDefault } = SERVICE;

/** The tags that a browser asks for (RFC 9110, section 12.5.4), best first. */
export const acceptedTags = (header: string | undefined): string[] =>
  (header ?? '')
    .slice(0, 500)
    .split(',')
    .slice(0, MAX_ACCEPTED)
    .map((entry) => {
      const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim());
      const quality = Number(parameters.find((part) => part.startsWith('q='))?.slice(2) ?? 1);
      return { tag: canonicalTag(tag), quality: quality > 0 ? quality : 0 };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .flatMap(({ tag }) => tag ?? []);
const MAX_ACCEPTED = 20;

/** The language that a browser asks for. English if the service speaks none of those. */
export const acceptedLanguage = (header: string | undefined): string => languageOf(...acceptedTags(header));

/** What a language calls itself, for example `Deutsch`. */
export const ownName = remembered((tag: string): string => {
  const name = new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag;
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
});
