import { createFileRoute } from "@tanstack/react-router";
import { upcoming } from "../../components/upcoming/route.ts";

export const Route = createFileRoute("/_public/auth/confirm-email")(upcoming("titles.emailConfirmed"));
