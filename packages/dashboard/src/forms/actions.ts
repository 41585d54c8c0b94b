import { deleteDraftForm, type FormRow } from '@connect-embed/api/resources/forms/edit-form';
import {
  closeForm,
  publishForm,
  reopenForm,
} from '@connect-embed/api/resources/forms/publish-form';
import type { Deps } from '../pages/deps.ts';
import { readForm } from '@connect-embed/api/http/read-form';
import { actionRoutes } from '../pages/actions.ts';
import { organizationPath } from '../pages/render-page.ts';
import { formPath, formRef, loadForm } from './form-in-path.ts';

export const PUBLISHED = 'Published. Pages show this version within a minute.';

/** The buttons of a form's page: publish, close, open again and delete. */
export const formActions = (deps: Deps) =>
  actionRoutes<FormRow>(
    {
      load: (c) => loadForm(c, deps),
      page: ({ name }, c) => ({ href: formPath(c), text: name }),
    },
    {
      publish: {
        permission: 'admin',
        run: async (_, c) => {
          const revision = Number((await readForm(c))('draft_revision'));
          await publishForm(deps.db, formRef(c), {
            revision,
            personId: c.var.pageContext.person.id,
          });
        },
        success: PUBLISHED,
      },
      close: {
        permission: 'admin',
        confirmation: ({ name }) => ({
          title: `Close ${name}?`,
          text: 'The form will accept no more donations, and pages will say so. Monthly donations continue. You can open the form again at any time.',
          buttonLabel: 'Close form',
        }),
        run: (_, c) => closeForm(deps.db, formRef(c)),
        success: 'Form closed.',
      },
      open: {
        permission: 'admin',
        run: (_, c) => reopenForm(deps.db, formRef(c)),
        success: 'Form opened. Pages show it within a minute.',
      },
      delete: {
        permission: 'admin',
        confirmation: ({ name }) => ({
          title: `Delete ${name}?`,
          text: 'The draft was never published. It will be permanently deleted.',
          buttonLabel: 'Delete draft',
        }),
        run: (_, c) => deleteDraftForm(deps.db, formRef(c)),
        success: 'Draft deleted.',
        redirect: (_, c) => organizationPath(c, '/forms'),
      },
    },
  );
