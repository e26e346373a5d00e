// What needs attention in a workspace, at the top of Home: each with the link that leads to what to do. Pure.
import type { Attention } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { type AttentionPlace, attentionLine } from '../../mail/attention.ts';

/** More of them are behind one summary. */
const SHOWN = 5;

const KINDS: Readonly<Record<Attention['kind'], 'bad' | 'warn' | 'info'>> = {
  low_scores: 'bad',
  emails_failed: 'bad',
  sending_paused: 'warn',
  rate_fell: 'warn',
  survey_closing: 'info',
  links_expiring: 'info',
};

export function attentionPart(found: readonly Attention[], place: AttentionPlace): Html | '' {
  if (found.length === 0) return '';
  // The most urgent kinds first; within a kind the newest surveys, as SQL has them.
  const order = Object.keys(KINDS);
  const lines = found.toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
  const line = (one: Attention) => {
    const { text, action, path } = attentionLine(one, place);
    return html`<li class="status ${KINDS[one.kind]}"><span>${one.title !== null && html`<strong dir="auto">${one.title}</strong> `}${text}</span> <a href="${path}">${action}<span class="hidden"> ${one.title ?? ''}: ${text}</span></a></li>`;
  };
  const rest = lines.slice(SHOWN);
  return html`<section class="card panel attention" aria-labelledby="attention"><h2 id="attention">What needs attention</h2>
<ul>${lines.slice(0, SHOWN).map(line)}</ul>
${rest.length > 0 && html`<details><summary>${rest.length} more</summary><ul>${rest.map(line)}</ul></details>`}
</section>`;
}
