/**
 * Optional features of the donation form, as one chunk that only pages that use them load.
 *
 * It imports no module that the form's bundle contains: a module shared by several chunks becomes a
 * chunk of its own, which every page would have to wait for. The element passes functions of such
 * modules as `sharedDeps`.
 */

export { FormDialog } from './dialog.ts';
export { applyAppearance } from './apply-appearance.ts';
export { followPageTheme } from '../shared/page-theme.ts';
export { applyAttributeDefaults } from './attribute-defaults.ts';
