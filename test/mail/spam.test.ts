// What SpamAssassin's local rules say of emails to recipients and members. It skips itself where spamassassin isn't installed.
import { spawnSync } from 'node:child_process';
import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import t from 'tap';
import type { ClaimedInvitation } from '../../src/database/store.ts';
import { en } from '../../src/languages/en.ts';
import { renderMemberInvitation, renderSignIn } from '../../src/mail/member-email.ts';
import { renderNotification } from '../../src/mail/notification-email.ts';
import { render } from '../../src/mail/render.ts';
import type { OutgoingMessage } from '../../src/relay/relay.ts';
import { claimedInvitation } from '../fixtures/mail.ts';

const MAX_SCORE = 0.5;
/** The rules that may fire, and why. */
const EXPLAINED: Readonly<Record<string, string>> = {
  NO_RECEIVED: 'the email hasn’t been through a mail server',
  NO_RELAYS: 'same',
  HTML_MESSAGE: 'it has HTML, beside the text',
};

const options = { publicUrl: 'https://i.example', from: { name: 'Acme', email: 'surveys@acme.example' } };
const question = { id: 's', type: 'score', label: en.recommend, min_label: en.leastLikely, max_label: en.mostLikely } as const;
const sender = { name: 'Acme', postal_address: 'Acme AS\n0155 Oslo' };
const texts = { subject: en.defaultSubject, message: en.defaultMessage };
const invitation = (more: Partial<ClaimedInvitation> = {}) =>
  render(claimedInvitation({ ...texts, sender, workspaceName: 'Acme', ...more }), options);
const score = {
  ...{ survey_id: 'orders', response_id: '0190a1b2-0000-7000-8000-000000000001', survey_title: 'Your order', below: 7 },
  ...{ score: 2, highest: 10, label: en.recommend, submitted_at: '2030-01-31T09:00:00Z', name: 'Ada', email: 'ada@example.com' },
  comments: [{ label: 'Why?', text: 'It came a week late, and the box was open.' }],
};
const EMAILS = {
  invitation: invitation(),
  'invitation with a score': invitation({ question }),
  'invitation with a logo': invitation({
    sender: { ...sender, logo_url: 'https://acme.example/logo.png', accent_color: '#ff8800' },
  }),
  reminder: invitation({ messageKind: 'reminder', messageNumber: 1, question }),
  'sign-in link': renderSignIn('owner@acme.example', 'secret', 'sign-in.1', options),
  'invitation of a member': renderMemberInvitation(
    { email: 'bo@acme.example', workspaceId: 'acme', workspaceName: 'Acme', role: 'editor', invitedBy: 'owner@acme.example' },
    'member.1',
    options,
  ),
  'low score': renderNotification(
    {
      ...{ kind: 'low_scores', email: 'owner@acme.example', role: 'owner', workspaceId: 'acme', workspaceName: 'Acme' },
      ...{ timeZone: 'Europe/Oslo', token: 'token', content: { total: 1, scores: [score] } },
    },
    'notification.1',
    options,
  ),
};

/** The email as it is sent. */
const sourceOf = ({ from, to, subject, text, html, headers }: OutgoingMessage): Promise<Buffer> =>
  new MailComposer({
    ...{ from: { name: from.name, address: from.email }, to: { name: to.name, address: to.email }, subject, text, html, headers },
    date: new Date(),
  })
    .compile()
    .build();

const isMissing = spawnSync('spamassassin', ['--version']).error !== undefined;

for (const [name, message] of Object.entries(EMAILS)) {
  t.test(name, { skip: isMissing && 'spamassassin is not installed' }, async (t) => {
    const report = spawnSync('spamassassin', ['--local', '--test-mode'], {
      input: await sourceOf(message),
      encoding: 'utf8',
    }).stdout;
    const score = Number(/details: +\((-?[\d.]+) points/.exec(report)?.[1]);
    const rules = [...report.matchAll(/^ *-?\d+\.\d+ ([A-Z][A-Z_\d]+) +/gm)].map(([, rule = '']) => rule);
    t.ok(score < MAX_SCORE, `${score}: ${rules.join(', ')}`);
    t.ok(rules.length > 0);
    t.same(
      rules.filter((rule) => !(rule in EXPLAINED)),
      [],
    );
  });
}
