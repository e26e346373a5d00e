// Template variables in subject and message. Pure.

export const TEMPLATE_VARIABLES = ['recipient_name', 'workspace_name', 'survey_title', 'survey_link'] as const;

type Variable = (typeof TEMPLATE_VARIABLES)[number];

const VARIABLE = new RegExp(`\\{\\{(${TEMPLATE_VARIABLES.join('|')})\\}\\}`);

/**
 * A template in pieces: its own text, and values in place of the variables. Values are not expanded again, and anything else in braces
 * stays as it is.
 * @param template Text with `{{recipient_name}}` and so on, written exactly like this.
 */
export const expandPieces = <T>(template: string, values: Readonly<Record<Variable, T>>): (string | T)[] =>
  template.split(VARIABLE).map((piece, index) => (index % 2 === 0 ? piece : values[piece as Variable]));

export const expand = (template: string, values: Readonly<Record<Variable, string>>): string =>
  expandPieces(template, values).join('');

/** A template's own text. */
export const withoutVariables = (template: string): string =>
  expand(template, { recipient_name: '', workspace_name: '', survey_title: '', survey_link: '' });

/** Names in double braces that aren't variables, each once, in order: probably misspelled variables. */
export function unknownVariables(template: string): string[] {
  const names = [...template.matchAll(/\{\{([^{}\n]*)\}\}/g)].map(([, name = '']) => name);
  return [...new Set(names)].filter((name) => !TEMPLATE_VARIABLES.some((one) => one === name));
}
