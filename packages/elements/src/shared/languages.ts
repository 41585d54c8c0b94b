/** Languages with a file in `locales/`, at the beginning of a tag. English is part of the bundles. */
export const LANGUAGES = /^(ar|de|es|fr|he|hi|it|ja|nl|pt|zh)\b/;

export const RIGHT_TO_LEFT = /^(ar|he)/;
