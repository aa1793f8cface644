import { createFileRoute } from "@tanstack/react-router";
import { mailRoute } from "../../components/account/route.ts";

export const Route = createFileRoute("/_public/reset-password")(mailRoute("titles.resetPassword", "reset"));
