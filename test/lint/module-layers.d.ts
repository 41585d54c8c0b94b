/** Modules by source folder, lowest layer first, with a description of their contents. */
export const MODULE_LAYERS: Record<string, Record<string, string>>;
