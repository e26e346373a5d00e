// A template tag for HTML that escapes every value except an Html object. Pure.

export class Html {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  toString(): string {
    return this.#text;
  }
}

type Value = Html | string | number | false | undefined | null | readonly Value[];

/** For content and quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const put = (value: Value): string => {
  if (value === false || value === undefined || value === null) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'object') return value.map(put).join('');
  return escapeHtml(String(value));
};

/** html`<p>${text}</p>` escapes text, joins lists, and leaves out false, null and undefined. */
export const html = (strings: TemplateStringsArray, ...values: readonly Value[]): Html =>
  new Html(strings.reduce((result, string, index) => result + put(values[index - 1]) + string));
