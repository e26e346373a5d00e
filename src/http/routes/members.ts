// The members of a workspace: a list, and one form that adds, changes and removes. Who may do which is SQL's (change_member).
import { isEmailValid } from '@hapi/address';
import { ROLES, type Role } from '../../functions.ts';
import { type MemberFault, membersMain } from '../../pages/members.ts';
import { ruleOf } from '../../rules.ts';
import { done, type Visit, type VisitHandler } from '../member-page.ts';
import type { ServerContext } from '../server.ts';

async function show({ functions }: ServerContext, visit: Visit, fault?: MemberFault) {
  const workspace = visit.workspace(visit.param('workspace'));
  const members = await functions.workspaceMembers(visit.session, workspace.id);
  const main = membersMain(visit, workspace, members, fault);
  return visit.page({ title: 'Members', workspace, tab: 'members' }, main, fault === undefined ? 200 : 422);
}

export const showMembers =
  (context: ServerContext): VisitHandler =>
  (visit) =>
    show(context, visit);

export const changeMember =
  (context: ServerContext): VisitHandler =>
  async (visit) => {
    const { form, session } = visit;
    const { id } = visit.workspace(visit.param('workspace'));
    const email = (form.get('email') ?? '').trim();
    const adding = form.get('action') === 'add';
    const removing = form.get('action') === 'remove';
    const role = ROLES.find((one) => one === form.get('role'));
    if (adding && !isEmailValid(email)) return show(context, visit, { email, adding, text: 'This is no e-mail address.' });
    if (role === undefined && !removing) return show(context, visit, { email, adding, text: 'Choose a role.' });
    try {
      await context.functions.changeMember(session, id, email, removing ? null : (role as Role));
    } catch (error) {
      const text = ruleOf(error);
      if (text === undefined) throw error;
      return show(context, visit, { email, adding, text });
    }
    return done(`/workspaces/${id}/members`, adding ? 'member_added' : removing ? 'member_removed' : 'member_changed');
  };
