// The start page, and a workspace's surveys.

import { welcomePage } from '../../pages/sign-in.ts';
import { surveysMain, workspacesMain } from '../../pages/workspace.ts';
import { type Handler, page } from '../handler.ts';
import { memberPage, redirect, type VisitHandler, whoComes } from '../member-page.ts';
import type { ServerContext } from '../server.ts';

export const showStart = (context: ServerContext): Handler => {
  const list = memberPage(context, (visit) => visit.page({ title: 'Your workspaces' }, workspacesMain(visit.me.workspaces)));
  return async (request) => {
    const who = await whoComes(context, request);
    if (who === undefined) return page(200, welcomePage());
    const [only, ...others] = who.me.workspaces;
    return only !== undefined && others.length === 0 ? redirect(`/workspaces/${only.id}`) : list(request);
  };
};

export const showSurveys =
  ({ functions }: ServerContext): VisitHandler =>
  async (visit) => {
    const workspace = visit.workspace(visit.param('workspace'));
    const surveys = await functions.workspaceSurveys(visit.session, workspace.id);
    return visit.page({ title: 'Surveys', workspace, tab: 'surveys' }, surveysMain(surveys, workspace));
  };
