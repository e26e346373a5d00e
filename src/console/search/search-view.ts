// What a search found, in groups, and its page. Pure.
import type { OwnWorkspace, SearchHit } from '../../database/store.ts';
import { isAtLeast } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { capital, empty, moment } from '../components.ts';
import type { Link, PageContext } from '../frame.ts';

interface Item {
  readonly href: string;
  readonly title: string;
  readonly note: string;
  /** Null: a page. */
  readonly at: Date | null;
}

export interface Group {
  readonly name: SearchHit['found'] | 'page';
  readonly label: string;
  readonly items: readonly Item[];
  /** Whether there are more than these. */
  readonly more: boolean;
}

const LABELS = { person: 'People', invitation: 'Invitations', response: 'Responses', survey: 'Surveys', page: 'Pages' } as const;

/** Other words that people look for a page by. */
const WORDS: Readonly<Record<string, string>> = {
  responses: 'answers comments results feedback',
  recipients: 'recipients contacts customers',
  'do-not-email': 'suppressions unsubscribed bounced blocked',
  sending: 'pause resume relay status',
  webhooks: 'events endpoints slack',
  members: 'team users roles',
  sender: 'from name reply-to logo',
  rules: 'hours rest deadline time zone',
  settings: 'settings name test workspaces',
  sessions: 'devices sign out account',
  notifications: 'weekly report email alerts',
  audit: 'history who changed',
  clock: 'test time',
  outbox: 'test emails',
};

/** @param rows How many of a group are shown. */
export function groupsOf(
  workspace: OwnWorkspace,
  search: string,
  hits: readonly SearchHit[],
  pages: readonly Link[],
  rows: number,
): Group[] {
  const words = search.toLowerCase().split(/\s+/);
  const found = (name: SearchHit['found']) =>
    hits.filter((hit) => hit.found === name).map((hit) => itemOf(workspace, search, words, hit));
  const named = pages
    .filter(([name, , label]) => words.every((word) => ` ${label} ${WORDS[name] ?? ''}`.toLowerCase().includes(` ${word}`)))
    .map(([, href, label]): Item => ({ href, title: label, note: '', at: null }));
  const groups = [
    ...(['person', 'invitation', 'response', 'survey'] as const).map((name) => ({ name, items: found(name) })),
    { name: 'page' as const, items: named },
  ];
  return groups
    .filter(({ items }) => items.length > 0)
    .map(({ name, items }) => ({ name, label: LABELS[name], items: items.slice(0, rows), more: items.length > rows }));
}

function itemOf(workspace: OwnWorkspace, search: string, words: readonly string[], hit: SearchHit): Item {
  const { id, surveyId, surveyTitle, email, name, detail, at } = hit;
  switch (hit.found) {
    case 'person':
      return {
        href: `/workspaces/${workspace.id}/recipients/${id}`,
        title: name ?? email ?? '',
        note: name === null ? '' : (email ?? ''),
        at,
      };
    case 'invitation':
      return {
        href: `/surveys/${surveyId}/invitations/${id}`,
        title: `${detail}: ${search}`,
        note: join(email ?? 'Erased recipient', surveyTitle),
        at,
      };
    case 'response':
      return {
        href: `/surveys/${surveyId}/responses/${id}`,
        title: excerpt(detail ?? '', words),
        note: join(name ?? email, surveyTitle),
        at,
      };
    case 'survey':
      return { href: `/surveys/${surveyId}/results`, title: surveyTitle, note: capital(detail ?? ''), at };
  }
}

const join = (...parts: (string | null)[]): string => parts.filter(Boolean).join(' · ');

const BEFORE = 50;
const LENGTH = 160;

/** A comment around the first word that was found. */
export function excerpt(text: string, words: readonly string[]): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const lower = line.toLowerCase();
  const at = Math.max(0, Math.min(...words.map((word) => lower.indexOf(word)).filter((place) => place >= 0), lower.length));
  const from = at === lower.length || at <= BEFORE ? 0 : at - BEFORE;
  // Not half of a character that has two units.
  const part = line.slice(from, from + LENGTH).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
  return `${from > 0 ? '…' : ''}${part}${from + LENGTH < line.length ? '…' : ''}`;
}

export function searchMain(
  { csrf, now }: PageContext,
  { id, role }: OwnWorkspace,
  search: string | undefined,
  groups: readonly Group[],
): Html {
  const isEditor = isAtLeast(role, 'editor');
  const hint = isEditor
    ? 'Any part of a name or an email address, a whole value of the metadata such as an order number, words of a comment, a survey, or a page.'
    : 'Words of a comment, a survey, or a page.';
  return html`<form method="post" action="/workspaces/${id}/search" class="bar finding" role="search"><input type="hidden" name="csrf" value="${csrf}">
<div class="field wide"><label for="search">Search this workspace</label><input id="search" name="search" type="search" value="${search}" maxlength="254" autocomplete="off" spellcheck="false" aria-describedby="search-hint"></div>
<button class="quiet" type="submit">Search</button>
</form>
<p class="note" id="search-hint">${hint}</p>
<div id="found" aria-live="polite">${search !== undefined && groups.length === 0 && empty('Nothing matches', isEditor ? 'Check the spelling, or enter a part of it. Metadata values are found whole.' : 'Check the spelling, or enter fewer words.')}
${groups.map((group) => groupSection(group, now))}</div>`;
}

const groupSection = ({ name, label, items, more }: Group, now: Date): Html =>
  html`<section class="hits" aria-labelledby="hits-${name}"><h2 id="hits-${name}">${label}</h2>
<ul class="card">${items.map(({ href, title, note, at }) => html`<li><a href="${href}" dir="auto">${title}</a>${note && html`<span class="dim" dir="auto">${note}</span>`}${at && html`<span class="dim">${moment(at, now)}</span>`}</li>`)}</ul>
${more && html`<p class="note">Only ${items.length} are shown. Enter more letters or words.</p>`}
</section>`;
