/** The icon of pages without a logo, as a data URL: a white heart on green. */
export const HEART_ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='9' fill='%230b6b5b'/%3E%3Cpath d='M16 24s-7.5-4.6-7.5-10A4.2 4.2 0 0 1 16 11.500a4.2 4.2 0 0 1 7.500 2.500C23.500 19.400 16 24 16 24z' fill='white'/%3E%3C/svg%3E";
