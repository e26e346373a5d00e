// A workspace's members. The forms follow what SQL allows.
import { type Member, type OwnWorkspace, ROLES, type Role } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { badge, field, form, moment, select, table } from '../components.ts';
import type { PageContext } from '../frame.ts';

export interface MemberError {
  readonly email: string;
  readonly adding: boolean;
  readonly text: string;
}

export const manageable = (role: Role): readonly Role[] => (role === 'owner' ? ROLES : ROLES.filter((one) => one !== 'owner'));

export function membersMain(
  { csrf, me, now }: PageContext,
  { id, role }: OwnWorkspace,
  members: readonly Member[],
  signInAddress: string,
  error?: MemberError,
): Html {
  const roles = manageable(role);
  const row = (member: Member, index: number) => [
    html`${member.email}${member.email === me.email && html` <span class="note">you</span>`}`,
    roles.includes(member.role) ? changeForm(member, index) : badge(member.role),
    moment(member.createdAt, now),
    roles.includes(member.role) ? removeLink(member) : '',
  ];
  const changeForm = ({ email, role }: Member, index: number) =>
    form(
      csrf,
      html`<input type="hidden" name="action" value="change"><input type="hidden" name="email" value="${email}">
<label class="hidden" for="role-${index}">Role of ${email}</label>
<select id="role-${index}" name="role">${roles.map((one) => html`<option${one === role && html` selected`}>${one}</option>`)}</select>
<button class="quiet" type="submit">Change<span class="hidden"> role of ${email}</span></button>
${error && !error.adding && error.email === email && html`<p class="error" role="alert">${error.text}</p>`}`,
      { class: 'actions' },
    );
  const removeLink = ({ email }: Member) =>
    html`<a class="button quiet danger" href="/workspaces/${id}/members/remove?email=${encodeURIComponent(email)}">Remove<span class="hidden"> ${email}</span></a>`;
  const added = error?.adding ? error : undefined;
  return html`<h2 class="hidden">Members</h2>
${table('Members', ['Email', 'Role', 'Member since', 'Actions'], members.map(row))}
<section class="panel" aria-labelledby="add"><h2 id="add">Add a member</h2>
<p class="note">Owners and admins manage members. Editors manage invitations and trigger tokens. Viewers can only see Results.</p>
<p class="note">We don't email new members. Ask them to sign in at <code>${signInAddress}</code> with this address. They don't need a password.</p>
${form(
  csrf,
  html`<input type="hidden" name="action" value="add">
${field({ name: 'email', label: 'Email address', type: 'email', value: added?.email, error: added?.text, more: html` required autocomplete="off"` })}
${select('role', 'Role', roles, 'editor')}
<button type="submit">Add member</button>`,
)}
</section>`;
}

/** @param last Whether the member is the only owner, who can't be removed. */
export function removeMemberMain(
  { csrf, me }: PageContext,
  { id, name }: OwnWorkspace,
  { email, role }: Member,
  last: boolean,
): Html {
  const back = html`<a class="button quiet" href="/workspaces/${id}/members">${last ? 'Back to members' : 'Cancel'}</a>`;
  if (last) {
    return html`<section class="panel" aria-labelledby="remove"><h2 id="remove">A workspace needs an owner</h2>
<p><b>${email}</b> is the only owner of ${name}. Make another member an owner first.</p>
<p>${back}</p></section>`;
  }
  const mine = email === me.email;
  return html`<section class="panel ask" aria-labelledby="remove"><h2 id="remove">${mine ? 'Leave this workspace?' : 'Remove this member?'}</h2>
<p><b>${email}</b> (${role}) loses access to ${name} immediately. Surveys, trigger tokens and the audit log don't change.</p>
${mine && html`<p>This is you. To come back, you need another owner or admin to add you.</p>`}
${form(
  csrf,
  html`<input type="hidden" name="action" value="remove"><input type="hidden" name="email" value="${email}">
<button class="danger" type="submit">${mine ? 'Leave' : 'Remove'} ${email}</button> ${back}`,
  { action: `/workspaces/${id}/members`, class: 'actions' },
)}</section>`;
}
