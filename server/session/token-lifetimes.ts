/** 15 minutes, in seconds. */
export const accessTokenSeconds = 15 * 60;
/** Lifetime of the cookie that lets an audio element play one audio, in seconds. */
export const mediaTokenSeconds = 12 * 60 * 60;

/**
 * Lifetime of the cookie that lets a visitor play and download what a link has opened, in seconds: longer than nearly
 * every recording. Each use of the cookie looks up the link, so a link that has ended stops working at once.
 */
export const sharedGrantSeconds = 4 * 60 * 60;

/** Time limit for a sign-in at another provider, in seconds. */
export const attemptSeconds = 10 * 60;

/**
 * How long a browser counts as the same reader of the blog, in seconds: the longest cookie life of browsers (400 days).
 */
export const readerTokenSeconds = 400 * 24 * 60 * 60;
