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

/** Probably misspelled variables: other names in double braces, each once, in order. */
export function unknownVariables(template: string): string[] {
  const names = [...template.matchAll(/\{\{([^{}\n]*)\}\}/g)].map(([, name = '']) => name);
  return [...new Set(names)].filter((name) => !TEMPLATE_VARIABLES.some((one) => one === name));
}
