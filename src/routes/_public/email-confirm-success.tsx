import { createFileRoute } from "@tanstack/react-router";
import { mailRoute } from "../../components/account/route.ts";

export const Route = createFileRoute("/_public/email-confirm-success")(mailRoute("titles.emailConfirmed", "confirm"));
