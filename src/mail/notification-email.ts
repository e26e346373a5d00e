// Renders emails to members about what happened: low scores, and the weekly report. They can be read without pictures. Pure.
import type { LowScore, NotificationContent, ReportedComment, ReportedSurvey, WeeklyReport } from '../database/store.ts';
import { type Html, html } from '../html/html.ts';
import type { OutgoingMessage } from '../relay/relay.ts';
import { formatNumber, plural, shortened, toOneLine } from '../text.ts';
import { attentionLine, timeIn } from './attention.ts';
import { buttonHelp, buttonLink, emailDocument } from './html.ts';
import { responseAddress, stopLink } from './links.ts';
import { emailHeaders, type RenderOptions } from './render.ts';

/** No invitation has this id, so a relay's events about these emails match none. */
const NO_INVITATION = '0';

/** A part of an email as text and as HTML. */
interface Part {
  readonly text: string;
  readonly html: Html;
}

interface Told {
  readonly subject: string;
  readonly parts: readonly Part[];
  /** What the link at the end stops. */
  readonly stops: string;
}

/** @param key The idempotency key, which is the same at each attempt. */
export function renderNotification(found: NotificationContent, key: string, { from, publicUrl }: RenderOptions): OutgoingMessage {
  const { subject, parts, stops } =
    found.kind === 'low_scores' ? lowScores(found, publicUrl) : weeklyReport(found, found.content, publicUrl);
  const stop = stopLink(publicUrl, found.token, found.kind);
  const settings = `${publicUrl}/workspaces/${found.workspaceId}/notifications`;
  return {
    id: NO_INVITATION,
    idempotencyKey: key,
    from,
    to: { email: found.email, name: '' },
    subject: toOneLine(subject),
    text: `${parts.map(({ text }) => text).join('\n\n')}\n\n--\n${stops}\nUnsubscribe: ${stop}\nChange what you get: ${settings}\n`,
    html: emailDocument({
      title: subject,
      content: html`${parts.map((part) => html`${part.html}\n`)}`,
      footnote: html`${stops} <a href="${stop}" style="color:#59636e">Unsubscribe</a> · <a href="${settings}" style="color:#59636e">Change what you get</a>`,
      brand: html`${found.workspaceName}`,
    }),
    headers: {
      ...emailHeaders(key, from),
      'List-Unsubscribe': `<${stop}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}

const DIM = html`class="dim" style="margin:4px 0;font-size:14px;line-height:20px;color:#59636e"`;
/** Customers' words may run from right to left. */
const words = (text: string, style = '16px 0'): Html =>
  html`<p dir="auto" style="margin:${style};white-space:pre-line">${text}</p>`;
const heading = (text: string): Part => ({
  text: text.toUpperCase(),
  html: html`<h2 style="margin:32px 0 8px;font-size:18px;line-height:24px;font-weight:600">${text}</h2>`,
});
const link = (href: string, text: string): Html => html`<a href="${href}">${text}</a>`;

/** `3 of 10`, in the color of low scores or of high ones. */
const scoreChip = (score: number, highest: number | null, kind: 'low' | 'high'): Html =>
  html`<table role="presentation" border="0" cellpadding="0" cellspacing="0" style="margin:16px 0 4px"><tr><td bgcolor="${kind === 'low' ? '#b3382c' : '#1d7a47'}" style="padding:4px 12px;border-radius:8px;background:${kind === 'low' ? '#b3382c' : '#1d7a47'};color:#ffffff;font-size:18px;font-weight:600;line-height:24px">${score}${highest !== null && html`<span style="font-size:13px;font-weight:400"> of ${highest}</span>`}</td></tr></table>`;

const ofScale = (score: number, highest: number | null): string => (highest === null ? String(score) : `${score} of ${highest}`);

function lowScores(found: Extract<NotificationContent, { kind: 'low_scores' }>, publicUrl: string): Told {
  const { content, timeZone } = found;
  const [first] = content.scores;
  const single = content.total === 1;
  const subject =
    single && first
      ? `${ofScale(first.score, first.highest)}: ${shortened(first.survey_title, 100)}`
      : `${plural(content.total, 'low score')}: ${shortened(found.workspaceName, 100)}`;
  const more = content.total - content.scores.length;
  return {
    subject,
    parts: [
      ...(single
        ? []
        : [
            { text: `${subject}.`, html: html`<p><strong>${plural(content.total, 'low score')}</strong>, the lowest first.</p>` },
          ]),
      ...content.scores.map((score) => lowScore(score, timeZone, publicUrl, single)),
      ...(more > 0
        ? [
            {
              text: `And ${formatNumber(more)} more: ${publicUrl}/workspaces/${found.workspaceId}`,
              html: html`<p>And ${link(`${publicUrl}/workspaces/${found.workspaceId}`, `${formatNumber(more)} more`)}.</p>`,
            },
          ]
        : []),
    ],
    stops: `You get this email because you chose to be told of scores below ${new Set(content.scores.map(({ below }) => below)).size === 1 ? first?.below : 'a limit'}.`,
  };
}

/** Characters of each comment where there are many. */
const SHORT = 300;

/** @param single Whether it is the only one. Otherwise its parts are short. */
function lowScore(score: LowScore, zone: string, publicUrl: string, single: boolean): Part {
  const href = responseAddress(publicUrl, score.survey_id, score.response_id);
  const where = [score.survey_title, timeIn(zone, new Date(score.submitted_at))].join(' · ');
  const person = score.email === null ? '' : score.name ? `${score.name}, ${score.email}` : score.email;
  const label = single && score.label !== null ? score.label : '';
  const comments = score.comments.map((comment) => (single ? comment : { ...comment, text: shortened(comment.text, SHORT) }));
  return {
    text: [
      `${ofScale(score.score, score.highest)}${label && `: ${label}`}`,
      ...comments.map((comment) => (single ? `${comment.label}\n${comment.text}` : comment.text)),
      person,
      where,
      href,
    ]
      .filter((line) => line !== '')
      .join('\n'),
    html: html`${scoreChip(score.score, score.highest, 'low')}
${label && html`<p dir="auto" ${DIM}>${label}</p>`}
${comments.map((comment) => html`${comments.length > 1 && html`<p dir="auto" ${DIM}>${comment.label}</p>`}${words(comment.text, '8px 0')}\n`)}${
  score.email !== null &&
  html`<p dir="auto" style="margin:8px 0 4px">${score.name && html`${score.name}, `}<a href="mailto:${score.email}">${score.email}</a></p>`
}
<p dir="auto" ${DIM}>${where}${!single && html` · ${link(href, 'Open')}`}</p>
${single && html`${buttonLink(href, 'Open the response')}\n<p ${DIM}>${buttonHelp(href)}</p>`}`,
  };
}

/** NPS without decimals, averages with one. */
const figure = (value: number, nps: boolean): string => {
  const text = nps ? String(Math.round(Math.abs(value))) : Math.abs(value).toFixed(1);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
};

function change(value: number, before: number | null | undefined, nps: boolean): string {
  if (before === null || before === undefined) return 'no score the week before';
  // Of the figures as they are shown, so that a reader who subtracts gets the same.
  const digits = nps ? 1 : 10;
  const moved = (Math.round(value * digits) - Math.round(before * digits)) / digits;
  return moved === 0 ? 'as the week before' : `${moved > 0 ? '+' : ''}${figure(moved, nps)} from the week before`;
}

/** `NPS 34`, with its change and how sure it is. */
function scoreOf({ score }: ReportedSurvey): { value: string; note: string } | undefined {
  if (score === null || score.value === null) return undefined;
  const { value, low, high, nps } = score;
  const half = low !== null && high !== null ? (high - low) / 2 : null;
  return {
    value: `${nps ? 'NPS' : 'Average'} ${figure(value, nps)}`,
    note: [half !== null && `± ${figure(half, nps)}`, change(value, score.before?.value, nps)].filter(Boolean).join(', '),
  };
}

function reportedSurvey(survey: ReportedSurvey, publicUrl: string): Part {
  const score = scoreOf(survey);
  const responses = `${plural(survey.responses, 'response')}, ${formatNumber(survey.responses_before)} the week before`;
  const rate =
    survey.invited > 0
      ? `Response rate ${Math.round((100 * survey.responded) / survey.invited)}% of ${plural(survey.invited, 'invitation')}`
      : undefined;
  const href = `${publicUrl}/surveys/${survey.survey_id}/results?period=7`;
  return {
    text: [survey.title, score && `${score.value} (${score.note})`, responses, rate, href].filter(Boolean).join('\n'),
    html: html`<p dir="auto" style="margin:24px 0 4px;font-weight:600">${link(href, survey.title)}</p>
${score && html`<p style="margin:0;font-size:24px;line-height:32px;font-weight:600">${score.value}</p>\n<p ${DIM}>${score.note}</p>`}
<p style="margin:4px 0">${responses}${rate && html`<br>${rate}`}</p>`,
  };
}

function reportedComment(one: ReportedComment, kind: 'low' | 'high', publicUrl: string): Part {
  const href = responseAddress(publicUrl, one.survey_id, one.response_id);
  return {
    text: `${ofScale(one.score, one.highest)}: ${one.comment}\n${one.survey_title}\n${href}`,
    html: html`${scoreChip(one.score, one.highest, kind)}${words(one.comment, '8px 0 4px')}
<p dir="auto" ${DIM}>${one.survey_title} · ${link(href, 'Open')}</p>`,
  };
}

const dayOf = (text: string, year: boolean): string =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', ...(year && { year: 'numeric' }), timeZone: 'UTC' }).format(
    new Date(`${text}T00:00:00Z`),
  );

function weeklyReport(found: NotificationContent, report: WeeklyReport, publicUrl: string): Told {
  const days = `${dayOf(report.first_day, false)} to ${dayOf(report.last_day, true)}`;
  const home = `${publicUrl}/workspaces/${found.workspaceId}`;
  const responses = report.surveys.reduce((sum, survey) => sum + survey.responses, 0);
  const place = { workspaceId: found.workspaceId, role: found.role, zone: found.timeZone };
  const attention = report.attention.map((one): Part => {
    const { text, action, path } = attentionLine(one, place);
    const of = one.title === null ? '' : `${one.title}: `;
    return {
      text: `${of}${text}. ${action}: ${publicUrl}${path}`,
      html: html`<p dir="auto" style="margin:8px 0">${one.title !== null && html`<strong>${one.title}</strong>: `}${text}. ${link(publicUrl + path, action)}</p>`,
    };
  });
  return {
    subject: `${days}: ${plural(responses, 'response')} to ${shortened(found.workspaceName, 100)}`,
    parts: [
      {
        text: `Your week, ${days}`,
        html: html`<h1 style="margin:16px 0 0;font-size:22px;line-height:28px;font-weight:600">Your week</h1>\n<p ${DIM}>${days}</p>`,
      },
      ...(attention.length > 0 ? [heading('What needs attention'), ...attention] : []),
      ...(responses === 0 ? [{ text: 'No responses this week.', html: html`<p>No responses this week.</p>` }] : []),
      ...report.surveys.map((survey) => reportedSurvey(survey, publicUrl)),
      ...(report.more_surveys > 0
        ? [
            {
              text: `And ${plural(report.more_surveys, 'more survey')}.`,
              html: html`<p>And ${plural(report.more_surveys, 'more survey')}.</p>`,
            },
          ]
        : []),
      ...(report.worst.length > 0
        ? [heading('Worst comments'), ...report.worst.map((one) => reportedComment(one, 'low', publicUrl))]
        : []),
      ...(report.best.length > 0
        ? [heading('Best comments'), ...report.best.map((one) => reportedComment(one, 'high', publicUrl))]
        : []),
      {
        text: `Rates are of invitations sent in this week, at least three days ago, that didn't bounce.\n${home}`,
        html: html`${buttonLink(home, 'Open the workspace')}\n<p ${DIM}>${buttonHelp(home)}</p>\n<p ${DIM}>Rates are of invitations sent in this week, at least three days ago, that didn’t bounce.</p>`,
      },
    ],
    stops: 'You get this report on Mondays because you chose it.',
  };
}
