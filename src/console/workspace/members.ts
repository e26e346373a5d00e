// The members of a workspace: a list, one form that adds, changes and removes, and a question before removing. Who may do which is SQL's
// (change_member).
import { isEmailValid } from '@hapi/address';
import { ruleOf } from '../../constraint-messages.ts';
import { isAtLeast, ROLES, type Role } from '../../database/store.ts';
import { ApiError } from '../../errors.ts';
import { redirect } from '../../http/answer.ts';
import { type ConsoleContext, done, type PageHandler, type PageRequest } from '../page.ts';
import { type MemberError, manageable, membersMain, removeMemberMain } from './members-view.ts';

async function show({ store, publicUrl }: ConsoleContext, request: PageRequest, wrong?: MemberError) {
  const workspace = request.workspace(request.param('workspace'));
  const members = await store.console.listMembers(request.session, workspace.id);
  const main = membersMain(request, workspace, members, `${publicUrl()}/sign-in`, wrong);
  return request.page({ title: 'Members', workspace, tab: 'members' }, main, wrong === undefined ? 200 : 422);
}

export const showMembers =
  (context: ConsoleContext): PageHandler =>
  (request) =>
    show(context, request);

/** The question; its form is changeMember's. */
export const askRemoveMember =
  ({ store }: ConsoleContext): PageHandler =>
  async (request) => {
    const workspace = request.workspace(request.param('workspace'));
    const members = await store.console.listMembers(request.session, workspace.id);
    const member = members.find(({ email }) => email === request.query.get('email')?.toLowerCase());
    if (member === undefined) throw new ApiError('not_found', 'There is no such member.');
    if (!manageable(workspace.role).includes(member.role))
      throw new ApiError('forbidden', 'Only an owner may remove an owner. Ask one of the workspace.');
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
    const { id } = request.workspace(request.param('workspace'));
    const email = (form.get('email') ?? '').trim();
    const adding = form.get('action') === 'add';
    const removing = form.get('action') === 'remove';
    const role = ROLES.find((one) => one === form.get('role'));
    if (adding && !isEmailValid(email)) return show(context, request, { email, adding, text: 'This is no e-mail address.' });
    if (role === undefined && !removing) return show(context, request, { email, adding, text: 'Choose a role.' });
    try {
      await context.store.console.changeMember(session, id, email, removing ? null : (role as Role), adding);
    } catch (error) {
      const text = ruleOf(error);
      if (text === undefined) throw error;
      return show(context, request, { email, adding, text });
    }
    // Who has left, or has given the right up, cannot come back to this page.
    if (email.toLowerCase() === request.me.email) {
      if (removing) return redirect('/');
      if (!isAtLeast(role as Role, 'admin')) return done(`/workspaces/${id}`, 'member_changed');
    }
    return done(`/workspaces/${id}/members`, adding ? 'member_added' : removing ? 'member_removed' : 'member_changed');
  };
