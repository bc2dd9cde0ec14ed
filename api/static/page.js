// In a file of its own, since the page's policy allows no script inside it.
SwaggerUIBundle({ url: "/openapi.json", dom_id: "#api", deepLinking: true, validatorUrl: null });
