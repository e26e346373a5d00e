// Template variables in subject and message. Pure.

export const TEMPLATE_VARIABLES = ['recipient_name', 'workspace_name', 'survey_title', 'survey_link'] as const;

type Variable = (typeof TEMPLATE_VARIABLES)[number];

const VARIABLE = new RegExp(`\\{\\{(${TEMPLATE_VARIABLES.join('|')})\\}\\}`);

/** A template's own text, with values for its variables. Values aren't expanded again; anything else in braces stays. */
export const expandPieces = <T>(template: string, values: Readonly<Record<Variable, T>>): (string | T)[] =>
  template.split(VARIABLE).map((piece, index) => (index % 2 === 0 ? piece : values[piece as Variable]));

export const expand = (template: string, values: Readonly<Record<Variable, string>>): string =>
  expandPieces(template, values).join('');

export const withoutVariables = (template: string): string =>
  expand(template, { recipient_name: '', workspace_name: '', survey_title: '', survey_link: '' });

export const hasName = (template: string): boolean => template.includes('{{recipient_name}}');

/** At the beginning: up to three words, and after the name nothing but punctuation. A comma before the name needs no name: `Thank you, Ada!` */
const GREETING = /^\s*(?:[^\s{},،]+[ \t]+){0,3}\{\{recipient_name\}\}[\p{P} \t]*(?=\r?\n|$)/u;
/** At the beginning of a sentence: what joins the name to the words after it goes too. */
const FIRST = /(?<=(?:^|[\n.!?؟]|[.!?؟] )[¡¿„“«"'(]?)\{\{recipient_name\}\}(?:[,:،]|[ \t]+[–—-](?= ))?[ \t]*/gu;
/** Elsewhere: what joins it to the words before it. */
const OTHER = /[ \t]*[,،]?[ \t]*\{\{recipient_name\}\}/g;

/**
 * A message for somebody whose name isn't known.
 * @param greeting Stands in the place of a line that greets by name: `Dear {{recipient_name}},`. Undefined: the line keeps its other words,
 * because the service doesn't speak the message's language.
 */
export const withoutName = (message: string, greeting: string | undefined): string =>
  (greeting === undefined ? message : message.replace(GREETING, () => greeting)).replace(FIRST, '').replace(OTHER, '');

/** Probably misspelled variables: other names in double braces, each once, in order. */
export function unknownVariables(template: string): string[] {
  const names = [...template.matchAll(/\{\{([^{}\n]*)\}\}/g)].map(([, name = '']) => name);
  return [...new Set(names)].filter((name) => !TEMPLATE_VARIABLES.some((one) => one === name));
}
