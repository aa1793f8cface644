/** 15 minutes, in seconds. */
export const accessTokenSeconds = 15 * 60;
/** How long a cookie lets an audio element play one audio, in seconds. */
export const mediaTokenSeconds = 12 * 60 * 60;

/** How long somebody may take at another provider's pages, in seconds. */
export const attemptSeconds = 10 * 60;

/** How long a browser is the same reader of the blog, in seconds: browsers keep no cookie for longer (400 days). */
export const readerTokenSeconds = 400 * 24 * 60 * 60;
