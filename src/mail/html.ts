// The HTML of every email. Pure. It uses tables and inline styles, because email programs support little else (Outlook takes widths from
// the attribute). The style element is optional.
import { type Accent, DEFAULT_ACCENT } from '../html/accent.ts';
import { type Html, html } from '../html/html.ts';
import { LOGO_HEIGHT, type ShownLogo } from '../html/logo.ts';
import { directionOf } from '../languages/languages.ts';

const FONT = html`font:16px/1.5 'Segoe UI',Roboto,Helvetica,Arial,sans-serif`;
/** The start of a table's tag. @param spacing Pixels between its cells. */
export const tableTag = (spacing: number): Html =>
  html`<table role="presentation" border="0" cellpadding="0" cellspacing="${spacing}"`;
const TABLE = tableTag(0);
const style = ({ light, dark }: Accent): Html => html`<style>
p{margin:16px 0}
a{color:${light}}
@media (max-width:480px){.sheet{padding:8px 20px!important}}
@media (max-width:360px){.sheet{padding:8px 12px!important}.answer{font-size:14px!important}}
@media (prefers-color-scheme:dark){
.ground{background:#121418!important}
.sheet{background:#1d2126!important;border-color:#3a4149!important;color:#e8eaed!important}
.sheet a{color:${dark}!important}
.sheet .button{color:#ffffff!important}
.answer{background:#121418!important;border-color:#59636e!important}
.dim,.sheet .dim a,.dim a{color:#9aa4af!important}
.logo{background:#ffffff!important;box-shadow:0 0 0 6px #ffffff!important;border-radius:2px!important;color:#1b1f24!important}
}
</style>`;

/** In bytes. Spam filters take shorter HTML with a picture for an email that is only a picture (SpamAssassin: HTML_IMAGE_ONLY_32). */
const MIN_WITH_PICTURE = 3_300;

export interface EmailParts {
  readonly title: string;
  /** What an inbox shows beside the subject. */
  readonly preheader?: string | undefined;
  readonly content: Html;
  /** What to do if the email program doesn't show the button. */
  readonly help?: Html | undefined;
  readonly footnote: Html;
  /** The sender's name or logo. */
  readonly brand?: Html | undefined;
  readonly accent?: Accent | undefined;
  /** The language of the service's own texts. */
  readonly language?: string;
  /** The language of the content. */
  readonly contentLanguage?: string;
}

const alignOf = (language: string): string => (directionOf(language) === 'rtl' ? 'right' : 'left');

export function emailDocument(parts: EmailParts): string {
  const {
    title,
    preheader,
    content,
    help,
    footnote,
    brand,
    accent = DEFAULT_ACCENT,
    language = 'en',
    contentLanguage = language,
  } = parts;
  // Some email programs drop the attributes of the html element, so parts of the email repeat them.
  const own = (tag: string) => html`lang="${tag}" dir="${directionOf(tag)}"`;
  const [align, contentAlign] = [alignOf(language), alignOf(contentLanguage)];
  const document = html`<!DOCTYPE html>
<html ${own(language)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
${style(accent)}
</head>
<body class="ground" style="margin:0;padding:0;background:#f1f3f6">${preheader && preheaderPart(preheader, contentLanguage)}
${TABLE} class="ground" width="100%" style="background:#f1f3f6"><tr><td align="center" style="padding:24px 12px">
${TABLE} width="600" style="width:100%;max-width:600px;text-align:${align}" ${own(language)}>
${brand && html`<tr><td class="dim" style="padding:0 4px 12px;${FONT};font-weight:600;color:#59636e">${brand}</td></tr>\n`}<tr><td class="sheet"${contentLanguage !== language && html` ${own(contentLanguage)}`} style="${contentAlign !== align && html`text-align:${contentAlign};`}padding:16px 32px;background:#ffffff;border:1px solid #d5dae0;border-radius:12px;${FONT};color:#1b1f24;overflow-wrap:anywhere;word-break:break-word">
${content}
</td></tr>
<tr><td class="dim" style="padding:16px 4px;${FONT};font-size:13px;color:#59636e">${help && html`<p style="margin:0 0 12px;font-size:12px;line-height:16px;overflow-wrap:anywhere;word-break:break-word">${help}</p>\n`}${footnote}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`.toString();
  const missing = document.includes('<img ') ? Math.max(0, MIN_WITH_PICTURE - document.length) : 0;
  return document.replace('\n</body>', () => `${' '.repeat(missing)}\n</body>`);
}

/** After the text, spaces keep an inbox from showing the start of the email. Outlook's `mso-hide` stands for display, which it ignores. */
const preheaderPart = (text: string, language: string): Html =>
  html`<div lang="${language}" dir="${directionOf(language)}" style="display:none;max-height:0;overflow:hidden;mso-hide:all">${text}${AFTER_PREHEADER}</div>`;
const AFTER_PREHEADER = '\u00a0\u200c'.repeat(60);

/** A link that shows its address. */
export const rawLink = (href: string): Html => html`<a href="${href}" dir="ltr" style="color:#59636e">${href}</a>`;

/** For the service's own emails, which are in English. */
export const buttonHelp = (href: string): Html => html`Button doesn’t work? ${rawLink(href)}`;

/**
 * The height keeps a large picture from filling the window. The alt text is shown while the picture isn't loaded: only Outlook takes the width from
 * the attribute, and elsewhere a long text has the room that it needs, since the ratio isn't that of the attributes either.
 */
export const logoImage = ({ url, alt, size }: ShownLogo): Html => {
  const height = size?.height ?? LOGO_HEIGHT;
  return html`<img class="logo" src="${url}" alt="${alt}"${size && html` width="${size.width}"`} height="${height}" style="display:block;width:auto;height:${height}px;max-width:100%;border:0${size && html`;aspect-ratio:auto`}">`;
};

/**
 * A button. Outlook ignores the link's padding and takes that of the cell instead (mso-padding-alt). The link has a background too, because
 * spam filters would otherwise take its white text for white on white.
 * @param text In the email's language.
 */
export const buttonLink = (href: string, text: string, { light }: Accent = DEFAULT_ACCENT): Html =>
  html`${TABLE} style="margin:24px 0"><tr><td align="center" bgcolor="${light}" style="border-radius:8px;mso-padding-alt:12px 24px"><a class="button" href="${href}" style="display:inline-block;padding:12px 24px;border-radius:8px;background:${light};color:#ffffff;font-weight:600;text-decoration:none">${text}</a></td></tr></table>`;
