/** How long a token lasts that a page holds while one explores the API there, in minutes. */
export const pageTokenMinutes = 60;
