import { createFileRoute } from "@tanstack/react-router";
import { blogPost } from "../../components/blog/route.ts";

export const Route = createFileRoute("/_public/blog/$slug")(blogPost);
