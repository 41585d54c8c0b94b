import { STORAGE_KEY } from './pending-payment.ts';

type StorageArea = 'sessionStorage' | 'localStorage';

/** Reads what forms have stored, by name. */
export function readStored<Value>(area: StorageArea): Record<string, Value | undefined> {
  try {
    return (JSON.parse(window[area].getItem(STORAGE_KEY) ?? '{}') ?? {}) as Record<string, Value>;
  } catch {
    return {};
  }
}

/** `JSON.stringify` without `Array.prototype.toJSON`, which some pages' libraries define. */
function toJson(value: unknown): string {
  const lists = Array.prototype as { toJSON?: unknown };
  const { toJSON } = lists;
  delete lists.toJSON;
  try {
    return JSON.stringify(value);
  } finally {
    if (toJSON) lists.toJSON = toJSON;
  }
}

/** Stores a record under a name, or removes it. */
export function writeStored(area: StorageArea, name: string, record: unknown) {
  const all = { ...readStored(area), [name]: record };
  try {
    if (Object.values(all).some(Boolean)) window[area].setItem(STORAGE_KEY, toJson(all));
    else window[area].removeItem(STORAGE_KEY);
  } catch {
    // Storage is forbidden or full.
  }
}
