export * from "./account.ts";
export * from "./conversation.ts";
export * from "./error.ts";
export * from "./language.ts";
export * from "./realtime.ts";
export * from "./subscription.ts";
export * from "./transcription.ts";
export * from "./usage.ts";
