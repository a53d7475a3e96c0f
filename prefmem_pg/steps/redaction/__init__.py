"""Where secrets stand in a text: by their form, by their check digits, by the words that announce them."""
