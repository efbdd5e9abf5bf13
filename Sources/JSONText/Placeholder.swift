// JSONText
