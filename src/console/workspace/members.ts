// A workspace's members. SQL decides who is allowed to change what.
import { isEmailValid } from '@hapi/address';
import { constraintMessage } from '../../constraint-messages.ts';
import { isAtLeast, ROLES, type Role } from '../../database/store.ts';
import { ApiError } from '../../errors.ts';
import { redirect } from '../../http/answer.ts';
import { foldEmail } from '../../text.ts';
import { addBelow } from '../components.ts';
import { type ConsoleContext, done, type PageHandler, type PageRequest } from '../page.ts';
import { type MemberError, manageable, membersMain, ownRoleMain, removeMemberMain } from './members-view.ts';

async function show({ store, publicUrl }: ConsoleContext, request: PageRequest, wrong?: MemberError) {
  const workspace = request.workspace(request.param('workspace'));
  const members = await store.console.listMembers(request.session, workspace.id);
  const main = membersMain(request, workspace, members, `${publicUrl()}/sign-in`, wrong);
  const actions = workspace.test === null && addBelow('Add a member');
  return request.page({ title: 'Members', workspace, tab: 'members', actions }, main, wrong === undefined ? 200 : 422);
}

export const showMembers =
  (context: ConsoleContext): PageHandler =>
  (request) =>
    show(context, request);

export const askRemoveMember =
  ({ store }: ConsoleContext): PageHandler =>
  async (request) => {
    const workspace = request.workspace(request.param('workspace'));
    const members = await store.console.listMembers(request.session, workspace.id);
    const asked = foldEmail(request.query.get('email') ?? '');
    const member = members.find(({ email }) => email === asked);
    if (member === undefined) throw new ApiError('not_found', 'No such member.');
    if (!manageable(workspace.role).includes(member.role))
      throw new ApiError('forbidden', 'Only an owner can remove an owner. Ask an owner of this workspace.');
    const last = member.role === 'owner' && members.filter(({ role }) => role === 'owner').length === 1;
    return request.page(
      { title: 'Remove a member', workspace, tab: 'members' },
      removeMemberMain(request, workspace, member, last),
    );
  };

export const changeMember =
  (context: ConsoleContext): PageHandler =>
  async (request) => {
    const { form, session } = request;
    const workspace = request.workspace(request.param('workspace'));
    const { id } = workspace;
    const email = (form.get('email') ?? '').trim();
    const adding = form.get('action') === 'add';
    const removing = form.get('action') === 'remove';
    const role = ROLES.find((known) => known === form.get('role'));
    if (adding && !isEmailValid(email))
      return show(context, request, { email, adding, role, text: 'Enter a valid email address.' });
    if (role === undefined && !removing) return show(context, request, { email, adding, role, text: 'Choose a role.' });
    const mine = foldEmail(email) === request.me.email;
    if (
      mine &&
      !adding &&
      !removing &&
      role !== undefined &&
      !isAtLeast(role, workspace.role) &&
      form.get('confirmed') === null
    ) {
      const owners = (await context.store.console.listMembers(session, id)).filter((member) => member.role === 'owner');
      if (workspace.role !== 'owner' || owners.length > 1) {
        return request.page({ title: 'Change your role', workspace, tab: 'members' }, ownRoleMain(request, workspace, role));
      }
    }
    try {
      const { addMember, removeMember, setMemberRole } = context.store.console;
      if (removing) await removeMember(session, id, email);
      else await (adding ? addMember : setMemberRole)(session, id, email, role as Role);
    } catch (error) {
      const text = constraintMessage(error);
      if (text === undefined) throw error;
      return show(context, request, { email, adding, role, text: removing ? `${email} wasn't removed. ${text}` : text });
    }
    // A member who left, or who lost the right to see members, can't open this page anymore.
    if (mine) {
      if (removing) return redirect('/');
      if (!isAtLeast(role as Role, 'admin')) return done(`/workspaces/${id}`, 'member_changed');
    }
    return done(`/workspaces/${id}/members`, adding ? 'member_added' : removing ? 'member_removed' : 'member_changed');
  };
