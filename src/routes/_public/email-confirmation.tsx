import { createFileRoute } from "@tanstack/react-router";
import { mailRoute } from "#src/features/account/route.ts";

export const Route = createFileRoute("/_public/email-confirmation")(mailRoute("titles.emailConfirmation", "resend"));
