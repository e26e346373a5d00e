// The sender of emails: the workspace's form, and the token's form for settings that differ.
import type { Sender } from '../../database/store.ts';
import { accentOf, DEFAULT_ACCENT } from '../../html/accent.ts';
import { type Html, html } from '../../html/html.ts';
import { LOGO_HEIGHT, LOGO_WIDTH, logoImage, logoOf } from '../../html/logo.ts';
import { formatNumber } from '../../text.ts';
import { MAX_LOGO_BYTES, MAX_SIDE, MIN_SIDE } from '../../uploads/logo.ts';
import { type Field, field, form, formSection, notice } from '../components.ts';
import type { PageContext } from '../frame.ts';
import { sawTexts } from '../stale.ts';

export type SenderField = keyof Sender;

export const SENDER_FIELDS = [
  'name',
  'email',
  'reply_to',
  'recipient_word',
  'greeting_without_name',
  'subject_without_name',
  'button_text',
  'preheader',
  'logo_url',
  'logo_alt',
  'accent_color',
  'postal_address',
] as const satisfies readonly SenderField[];

/** What the fields show. */
export const senderTexts = (sender: Sender | null) =>
  Object.fromEntries(SENDER_FIELDS.map((name) => [name, (sender?.[name] ?? '').trim()])) as Record<SenderField, string>;

export interface SentSender {
  /** What was changed. */
  readonly sender: Sender;
  readonly errors: Readonly<Partial<Record<SenderField | 'logo', string>>>;
  readonly status: 422 | 413;
}

interface Shown {
  readonly sender: Sender | null;
  /** Domains that emails may be sent from. */
  readonly domains: readonly string[];
  /** The sender's name that applies if the field is empty. Undefined: this is a token's form, and the workspace's settings apply. */
  readonly from?: string | undefined;
  readonly back?: Html;
  /** An address that emails are no longer sent from. */
  readonly refused?: string | undefined;
}

export function senderMain({ csrf }: PageContext, { sender, domains, from, back, refused }: Shown, sent?: SentSender): Html {
  const shown = { ...sender, ...sent?.sender };
  const { errors = {} } = sent ?? {};
  const saw = sawTexts(senderTexts(sender));
  const logo = logoOf(sender?.logo_url, sender?.logo_alt ?? 'Your logo');
  const text = (name: SenderField, label: string, hint: string, overrides: Partial<Field> = {}) =>
    field({
      name,
      label,
      hint,
      value: shown[name] ?? '',
      error: errors[name],
      ...overrides,
    });
  const empty = (own: string) => (from === undefined ? "If empty, the workspace's." : `If empty, ${own}.`);
  const line = (max: number) => html` maxlength="${max}" autocomplete="off"`;
  const color = /^#[0-9a-f]{6}$/i.test(shown.accent_color ?? '') ? shown.accent_color?.toLowerCase() : DEFAULT_ACCENT.light;
  return html`${refused !== undefined && notice('warn', html`<strong>Emails don't come from ${refused}:</strong> its domain isn't allowed any more.`)}
${formSection(
  'brand',
  'Brand',
  [
    from === undefined
      ? "Of this token's emails, in place of the workspace's. Survey pages have the workspace's."
      : 'Of emails, survey pages and the page to unsubscribe. Many email programs show pictures only on request.',
  ],
  html`${
    logo &&
    html`<div class="logo-shown">${logo.size ? logoImage(logo) : html`<a href="${logo.url}" rel="noreferrer">${logo.url}</a>`}
${form(csrf, html`${saw}<input type="hidden" name="logo_url" value=""><button class="quiet" type="submit">Remove the logo</button>`)}</div>
`
  }<form method="post" enctype="multipart/form-data"><input type="hidden" name="csrf" value="${csrf}"><input type="hidden" name="action" value="upload">
${field({
  name: 'logo',
  label: logo ? 'Another picture' : 'Picture',
  type: 'file',
  hint: `PNG or JPEG, at most ${MAX_LOGO_BYTES / 1024} KB, ${MIN_SIDE} to ${formatNumber(MAX_SIDE)} pixels a side. Shown at most ${LOGO_HEIGHT} high and ${LOGO_WIDTH} wide: twice that is sharp on every screen.`,
  error: errors.logo,
  more: html` accept="image/png,image/jpeg"`,
})}
<p class="actions"><button class="quiet" type="submit">Upload</button></p></form>
${form(
  csrf,
  html`${saw}${text('accent_color', 'Color', `Of buttons and links. ${readableColor(shown.accent_color)} ${empty('blue')}`, { more: html` autocomplete="off" placeholder="${DEFAULT_ACCENT.light}"` })}
<div class="field"><label for="accent_picked">Pick another</label><input type="color" id="accent_picked" name="accent_picked" value="${color}"><input type="hidden" name="accent_was" value="${color}"></div>
${text('logo_alt', 'Text in place of the logo', empty("the workspace's name"), { more: line(100) })}
${(logo?.size === undefined || errors.logo_url !== undefined) && text('logo_url', 'Address of a logo elsewhere', `A picture's https address, for emails alone. ${empty("the workspace's name")}`, { type: 'url', more: html`${line(2000)} placeholder="https://"` })}
<p class="actions"><button type="submit">Save the brand</button></p>`,
)}`,
)}
${formSection(
  'sender',
  from === undefined ? "Who this token's emails come from" : 'Who emails come from',
  [from === undefined ? 'Changes apply from the next request on.' : "Changes apply to emails that haven't been sent yet."],
  form(
    csrf,
    html`${saw}${text('name', 'Name', empty(`“${from}”`), { more: line(100) })}
${text('email', 'Address', `${empty("the operator's")} Its domain must be ${domains.join(' or ')}.`, { type: 'email', more: line(254) })}
${text('reply_to', 'Address for replies', `${empty('replies go to the address above')} Requests to unsubscribe may come there, too: add those people to the do-not-email list.`, { type: 'email', more: line(254) })}
${text('recipient_word', 'Word for a recipient without a name', `Replaces {{recipient_name}} in the subject and message, e.g. “there”. ${empty('a greeting without a name')}`, { more: line(100) })}
${text('greeting_without_name', 'Greeting for a recipient without a name', `In place of a line such as “Dear {{recipient_name}},”. ${empty('“Hello,”, in the language of the email')}`, { more: line(100) })}
${text('subject_without_name', 'Subject for a recipient without a name', `In place of a subject with {{recipient_name}}. ${empty('{{workspace_name}}: {{survey_title}}')}`, { more: line(255) })}
${text('button_text', 'Button', `Of invitations and reminders. ${empty('“Take the survey”, in the language of the email')}`, { more: line(100) })}
${text('preheader', 'Line beside the subject', `An inbox shows it before the email is opened. ${empty('the first sentence after the greeting')}`, { more: line(255) })}
${text('postal_address', 'Postal address', `At the end of emails; some countries require it. ${empty('none')}`, { rows: 3, more: html` maxlength="500"` })}
<p class="actions"><button type="submit">Save</button>${back && html` ${back}`}</p>`,
  ),
)}`;
}

/** What people see instead of a color that is hard to read. */
function readableColor(color = ''): string {
  const otherwise = 'It is made darker or lighter where it would be hard to read.';
  if (!/^#[0-9a-f]{6}$/i.test(color)) return otherwise;
  const { light, dark } = accentOf(color);
  const changed = [
    light !== color.toLowerCase() && `${light} on a light background`,
    dark !== color.toLowerCase() && `${dark} on a dark one`,
  ].filter((part) => part !== false);
  return changed.length === 0
    ? 'Easy to read on light and dark backgrounds.'
    : `Because ${color} is hard to read there, it is ${changed.join(', and ')}.`;
}
