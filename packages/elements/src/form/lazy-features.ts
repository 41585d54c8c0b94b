/**
 * Optional features of the donation form, as one chunk that only pages that use them load.
 *
 * It imports no module that the form's bundle contains: a module shared by several chunks becomes a
 * chunk of its own, which every page would have to wait for. The element passes functions of such
 * modules as `sharedDeps`.
 */

export { FormDialog } from './dialog.ts';
export { applyAttributeDefaults } from './attribute-defaults.ts';
