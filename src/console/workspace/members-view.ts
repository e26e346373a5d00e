// A workspace's members. The forms offer only what SQL allows.
import { type Member, type OwnWorkspace, ROLES, type Role } from '../../database/store.ts';
import { type Html, html } from '../../html/html.ts';
import { confirmation, field, form, formSection, menu, moment, refusal, table } from '../components.ts';
import type { PageContext } from '../frame.ts';

export interface MemberError {
  readonly email: string;
  readonly adding: boolean;
  readonly role: Role | undefined;
  readonly text: string;
}

export const manageable = (role: Role): readonly Role[] =>
  role === 'owner' ? ROLES : ROLES.filter((candidate) => candidate !== 'owner');

export function membersMain(
  { csrf, me, realNow: now }: PageContext,
  { id, role, test }: OwnWorkspace,
  members: readonly Member[],
  signInAddress: string,
  error?: MemberError,
): Html {
  if (test !== null) {
    return html`<p class="note">A test workspace has the members of its workspace. <a href="/workspaces/${test.of}/members">Change them there</a></p>
${table(
  'Members',
  ['Email', 'Role'],
  members.map(({ email, role }) => [email, role]),
)}`;
  }
  const roles = manageable(role);
  const row = (member: Member, index: number) => [
    html`${member.email}${member.email === me.email && html` <span class="dim">you</span>`}`,
    member.role,
    moment(member.createdAt, now),
    roles.includes(member.role) ? menu(member.email, [changeForm(member, index), removeLink(member)]) : '',
  ];
  const changeForm = ({ email, role }: Member, index: number) =>
    form(
      csrf,
      html`<input type="hidden" name="action" value="change"><input type="hidden" name="email" value="${email}">
<label class="hidden" for="role-${index}">Role of ${email}</label>
<select id="role-${index}" name="role">${roles.map((choice) => html`<option${choice === role && html` selected`}>${choice}</option>`)}</select>
<button class="quiet" type="submit">Change role<span class="hidden"> of ${email}</span></button>`,
      { class: 'actions' },
    );
  const removeLink = ({ email }: Member) =>
    html`<a class="danger" href="/workspaces/${id}/members/remove?email=${encodeURIComponent(email)}">Remove…<span class="hidden"> ${email}</span></a>`;
  const added = error?.adding ? error : undefined;
  return html`${error && !error.adding && refusal(error.role === undefined ? error.text : `The role of ${error.email} wasn't changed. ${error.text}`)}
${table('Members', ['Email', 'Role', ['Member since', 'time'], ['Actions', 'menu']], members.map(row))}
${formSection(
  'add',
  'Add a member',
  [
    'Owners and admins manage members. Editors manage surveys, invitations and trigger tokens. Viewers can only see Results.',
    html`We email new members a link to <code>${signInAddress}</code>. They sign in with this address, without a password.`,
  ],
  form(
    csrf,
    html`<input type="hidden" name="action" value="add">
${field({ name: 'email', label: 'Email address', type: 'email', value: added?.email, error: added?.text, more: html` required autocomplete="off"` })}
${field({ name: 'role', label: 'Role', options: roles, value: added?.role ?? 'editor' })}
<button type="submit">Add member</button>`,
  ),
)}`;
}

const members = ({ id }: OwnWorkspace): string => `/workspaces/${id}/members`;

/** @param last Whether the member is the only owner and so can't be removed. */
export function removeMemberMain(
  { csrf, me }: PageContext,
  workspace: OwnWorkspace,
  { email, role }: Member,
  last: boolean,
): Html {
  const { name } = workspace;
  if (last) {
    return confirmation(csrf, {
      title: 'A workspace needs an owner',
      content: html`<p><b>${email}</b> is the only owner of ${name}. Make another member an owner first.</p>`,
      button: undefined,
      keep: [members(workspace), 'Back to members'],
    });
  }
  const mine = email === me.email;
  return confirmation(csrf, {
    title: mine ? `Leave ${name}?` : `Remove ${email}?`,
    content: html`<p><b>${email}</b> (${role}) loses access to ${name} immediately. Surveys, trigger tokens and the audit log don't change.</p>
${mine && html`<p>This is you. To come back, you need another owner or admin to add you.</p>`}`,
    button: `${mine ? 'Leave as' : 'Remove'} ${email}`,
    danger: true,
    action: members(workspace),
    fields: { action: 'remove', email },
    keep: [members(workspace), 'Cancel'],
  });
}

/** Asks for confirmation, so that nobody gives up their own rights with one click. */
export const ownRoleMain = ({ csrf, me }: PageContext, workspace: OwnWorkspace, role: Role): Html =>
  confirmation(csrf, {
    title: `Change your own role from ${workspace.role} to ${role}?`,
    content: html`<p>You give up what only ${workspace.role === 'admin' ? 'admins and owners' : `${workspace.role}s`} can do in ${workspace.name}, immediately. To get it back, you need ${workspace.role === 'owner' ? 'another owner' : 'an owner or another admin'}.</p>`,
    button: `Make ${me.email} ${role === 'viewer' ? 'a' : 'an'} ${role}`,
    danger: true,
    action: members(workspace),
    fields: { action: 'change', email: me.email, role, confirmed: 'yes' },
    keep: [members(workspace), `Stay ${workspace.role}`],
  });
