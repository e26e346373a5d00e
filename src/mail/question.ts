// The question that an email asks: a link for each answer, as HTML and as plain text. Pure. A click only opens the survey page with the
// answer chosen; nothing is stored before Submit, because scanners open links too.
import type { EmailQuestion } from '../database/store.ts';
import type { Accent } from '../html/accent.ts';
import { type Html, html } from '../html/html.ts';
import { directionOf, isolateIn, languageAttributes, type Voice } from '../languages/languages.ts';
import { tableTag } from './html.ts';
import { answerLink } from './links.ts';
import { choicesOf, questionTexts, type Saying, saidIn, type Text } from './question-texts.ts';

export interface AskedQuestion {
  readonly label: Text;
  readonly answers: readonly (Text & { readonly link: string })[];
  /** What the lowest and the highest score mean. */
  readonly ends: readonly Text[];
  /** The survey page without an answer. */
  readonly link: string;
}

export function askedIn(question: EmailQuestion, link: string, said: Saying): AskedQuestion {
  const texts = questionTexts(saidIn(said), said.voice, () => (said.translation === undefined ? undefined : question.translated));
  return {
    label: texts.label(question),
    answers: choicesOf(question).map((value) => ({
      ...withStar(texts.answer(question, value), question),
      link: answerLink(link, question.id, value),
    })),
    ends: question.type === 'score' ? texts.ends(question) : [],
    link,
  };
}

/** A star beside each number, where it fits the row. */
const withStar = (answer: Text, { stars, max = 10 }: EmailQuestion): Text =>
  stars === true && max < 10 ? { ...answer, text: `${answer.text}★` } : answer;

/** A line for each answer, and the link without one. */
export function questionText({ label, answers, ends, link }: AskedQuestion, language: string): string {
  const isolate = ({ text }: Text) => isolateIn(directionOf(language), text);
  return [
    [label, ...ends].map(isolate).join('\n'),
    answers.map((answer) => `${isolate(answer)}: ${answer.link}`).join('\n'),
    link,
  ].join('\n\n');
}

/** The longest answer that fits a cell of the row, in characters: eleven cells share 254 pixels on the narrowest phone. */
const MAX_CELL = 2;

/**
 * Scores stand in one row, which begins at the right in a language from right to left; choices one below the other. The cells have padding
 * and a line height of their own, because Outlook ignores both on links.
 * @param language Of the text around it.
 */
export function questionHtml(question: AskedQuestion, language: string, voice: Voice, { light }: Accent): Html {
  const { label, answers, ends, link } = question;
  const own = ({ language: tag }: Text) => languageAttributes(tag, language);
  const direction = directionOf(label.language);
  const isRow = answers.every(({ text }) => text.length <= MAX_CELL);
  const table = (style: string) =>
    html`${tableTag(isRow ? 2 : 4)} width="100%" dir="${direction}" style="width:100%;max-width:464px;${style}"`;
  const cell = (answer: AskedQuestion['answers'][number]) =>
    html`<td class="answer" align="center" bgcolor="#f1f3f6" style="padding:${isRow ? '0' : '4px 8px'};border:1px solid #d5dae0;border-radius:6px;${isRow && html`font-size:15px;line-height:40px;mso-line-height-rule:exactly;white-space:nowrap`}"><a href="${answer.link}"${own(answer)} style="display:block;${!isRow && 'padding:6px 0;'}color:${light};font-weight:600;text-decoration:none">${answer.text}</a></td>`;
  const [start, end] = direction === 'rtl' ? ['right', 'left'] : ['left', 'right'];
  const [low, high] = ends;
  return html`<p${own(label)} style="margin:24px 0 8px;font-weight:600">${label.text}</p>
${table(`table-layout:fixed;margin:0 0 ${ends.length > 0 ? 4 : 16}px`)}>${
    isRow
      ? html`<tr>${answers.map((answer) => ['\n', cell(answer)])}
</tr>`
      : answers.map((answer) => html`<tr>\n${cell(answer)}</tr>\n`)
  }</table>
${
  ends.length > 0 &&
  html`${table('margin:0 0 16px')}><tr>
<td class="dim" width="50%" align="${start}" valign="top" style="padding-${end}:8px;font-size:13px;color:#59636e">${low && html`<span${own(low)}>${low.text}</span>`}</td>
<td class="dim" width="50%" align="${end}" valign="top" style="font-size:13px;color:#59636e">${high && html`<span${own(high)}>${high.text}</span>`}</td>
</tr></table>
`
}<p class="dim" style="margin:0 0 24px;font-size:13px;color:#59636e"><a href="${link}" style="color:#59636e">${voice.say('takeSurvey')}</a></p>`;
}
