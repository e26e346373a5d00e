// Template variables of subject and message, and HTML escaping. Pure.

/** What the four variables stand for. */
export interface TemplateValues {
  readonly recipient_name: string;
  readonly workspace_name: string;
  readonly survey_title: string;
  readonly survey_link: string;
}

export const TEMPLATE_VARIABLES = ['recipient_name', 'workspace_name', 'survey_title', 'survey_link'] as const;

const VARIABLE = new RegExp(`\\{\\{(${TEMPLATE_VARIABLES.join('|')})\\}\\}`, 'g');

/**
 * Replaces the variables once: a value that contains `{{…}}` is not expanded again. Anything else in braces stays as it is.
 * @param template Text with `{{recipient_name}}` and so on, written exactly so.
 */
export function expand(template: string, values: TemplateValues): string {
  return template.replace(VARIABLE, (_, name: keyof TemplateValues) => values[name]);
}

/** What stands in double braces and is no variable, each once, in order: most likely a variable that is misspelt. */
export function unknownVariables(template: string): string[] {
  const names = [...template.matchAll(/\{\{([^{}\n]*)\}\}/g)].map(([, name = '']) => name);
  return [...new Set(names)].filter((name) => !TEMPLATE_VARIABLES.some((one) => one === name));
}

/** Escapes text for HTML content and for quoted attribute values. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
