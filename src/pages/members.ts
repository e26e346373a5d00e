// The members of a workspace. What is shown follows what SQL allows: only owners have the forms that concern owners. Pure.
import { type Member, type OwnWorkspace, ROLES, type Role } from '../functions.ts';
import type { Viewing } from './frame.ts';
import { type Html, html } from './html.ts';
import { badge, field, form, moment, select, table } from './parts.ts';

export interface MemberFault {
  readonly email: string;
  readonly adding: boolean;
  readonly text: string;
}

export function membersMain(
  { csrf, me, now }: Viewing,
  { role }: OwnWorkspace,
  members: readonly Member[],
  fault?: MemberFault,
): Html {
  const roles: readonly Role[] = role === 'owner' ? ROLES : ROLES.filter((one) => one !== 'owner');
  const row = (member: Member, index: number) => [
    html`${member.email}${member.email === me.email && html` <span class="note">you</span>`}`,
    roles.includes(member.role) ? changeForm(member, index) : badge(member.role),
    moment(member.createdAt, now),
    roles.includes(member.role) ? removeForm(member) : '',
  ];
  const changeForm = ({ email, role }: Member, index: number) =>
    form(
      csrf,
      html`<input type="hidden" name="action" value="change"><input type="hidden" name="email" value="${email}">
<label class="hidden" for="role-${index}">Role of ${email}</label>
<select id="role-${index}" name="role">${roles.map((one) => html`<option${one === role && html` selected`}>${one}</option>`)}</select>
<button class="quiet" type="submit">Change<span class="hidden"> the role of ${email}</span></button>
${fault && !fault.adding && fault.email === email && html`<p class="fault" role="alert">${fault.text}</p>`}`,
      { class: 'inline' },
    );
  const removeForm = ({ email }: Member) =>
    form(
      csrf,
      html`<input type="hidden" name="action" value="remove"><input type="hidden" name="email" value="${email}">
<button class="quiet danger" type="submit">Remove<span class="hidden"> ${email}</span></button>`,
      { class: 'inline' },
    );
  const added = fault?.adding ? fault : undefined;
  return html`<h2 class="hidden">Members</h2>
${table('Members', ['Address', 'Role', 'Since', 'Remove'], members.map(row))}
<section class="panel" aria-labelledby="add"><h2 id="add">Add a member</h2>
<p class="note">Owners and admins manage members. Editors work with invitations and trigger tokens. Viewers read Results.</p>
${form(
  csrf,
  html`<input type="hidden" name="action" value="add">
${field({ name: 'email', label: 'E-mail address', type: 'email', value: added?.email, fault: added?.text, more: html` required autocomplete="off"` })}
${select('role', 'Role', roles, 'editor')}
<button type="submit">Add</button>`,
)}
</section>`;
}
