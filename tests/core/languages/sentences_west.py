"""What outlets wrote of one invented flood (a dam near the town of Sorel breaks), and of other things.

By language: `query`; `facts`, each a list of wordings by different outlets, in the order in which they came to be
known; `others`, sentences of other news.
"""

GERMAN = {
    "query": "Hochwasser Dammbruch Sorel",
    "outlets": ["Sorel Anzeiger", "Landfunk", "Tagespost"],
    "facts": [
        [
            "Nach tagelangem Regen ist am Montag bei Sorel ein Staudamm gebrochen.",
            "Dammbruch bei Sorel: Nach tagelangem Regen ist am Montag ein Staudamm gebrochen, so die Feuerwehr.",
            "Ein Staudamm bei Sorel ist am Montag nach tagelangem Regen gebrochen.",
        ],
        [
            "Mindestens drei Menschen sind bei dem Hochwasser in Sorel ums Leben gekommen.",
            "Bei dem Hochwasser in Sorel sind nach Angaben der Polizei mindestens drei Menschen ums Leben gekommen.",
        ],
        [
            "Rund 4.000 Einwohner von Sorel wurden wegen des Hochwassers in Turnhallen gebracht.",
            "Wegen des Hochwassers mussten rund 4.000 Einwohner von Sorel in Turnhallen übernachten.",
        ],
        [
            "Die Zahl der Toten des Hochwassers von Sorel ist auf zwölf gestiegen.",
            "Das Hochwasser in Sorel hat nun zwölf Todesopfer gefordert, die Zahl der Toten ist damit gestiegen.",
        ],
        [
            "Die Armee schickt Hubschrauber, um Eingeschlossene im Hochwasser von Sorel von Dächern zu retten.",
            "Hubschrauber der Armee retten im Hochwasser von Sorel Eingeschlossene von den Dächern.",
        ],
        [
            "Ein Ingenieur hatte vor dem Dammbruch von Sorel schon im März vor Rissen gewarnt.",
            "Vor dem Dammbruch von Sorel hatte ein Ingenieur im März vor Rissen gewarnt.",
        ],
        [
            "Nach dem Dammbruch von Sorel sind nun 19 Tote geborgen, fünf Menschen werden vermisst.",
            "Nach dem Dammbruch von Sorel steigt die Zahl der Toten auf 19, fünf Menschen werden vermisst.",
        ],
        [
            "Die Staatsanwaltschaft hat nach dem Dammbruch von Sorel den Betreiber des Kraftwerks durchsucht.",
            "Büros des Kraftwerksbetreibers wurden nach dem Dammbruch von Sorel durchsucht, so die Staatsanwaltschaft.",
        ],
        [
            "Das Hochwasser in Sorel geht zurück, die ersten Familien kehren in ihre Häuser heim.",
            "Erste Familien kehren in ihre Häuser heim, weil das Hochwasser in Sorel zurückgeht.",
        ],
    ],
    "others": [
        "Der Fußballverein Adler Norden hat das Pokalfinale mit 2:1 gewonnen.",
        "Dr. Anna Keller erhält den Preis der Akademie für ihre Forschung über Bienen.",
        "Die Regierung will die Steuern auf Strom senken.",
        "In der Oper hatte am 3. Mai ein neues Stück Premiere.",
        "„Wir fahren nach Hause“, sagte der Trainer. Danach schwieg er.",
        "Die Bahn streicht im Sommer mehrere Züge.",
        "Ein Museum zeigt Bilder aus dem 18. Jahrhundert.",
        "Der Preis für Kaffee steigt seit Wochen.",
    ],
}

SPANISH = {
    "query": "inundación presa Sorel",
    "outlets": ["El Diario de Sorel", "Radio Costa", "La Hora"],
    "facts": [
        [
            "Una presa cercana a Sorel se rompió el lunes después de varios días de lluvia.",
            "La presa de Sorel se rompió el lunes tras varios días de lluvia, informaron los bomberos.",
            "Se rompió el lunes una presa cercana a Sorel después de días de lluvia.",
        ],
        [
            "Al menos tres personas murieron en la inundación de Sorel.",
            "La policía confirmó que al menos tres personas murieron en la inundación de Sorel.",
        ],
        [
            "Unos 4.000 vecinos de Sorel fueron evacuados a gimnasios por la inundación.",
            "Por la inundación, 4.000 vecinos de Sorel fueron evacuados a gimnasios y escuelas.",
        ],
        [
            "Sube a doce el número de muertos por la inundación de Sorel.",
            "El número de muertos por la inundación de Sorel sube a doce, según el alcalde.",
        ],
        [
            "El ejército envió helicópteros para rescatar de los tejados a los atrapados por la inundación en Sorel.",
            "Helicópteros del ejército rescatan de los tejados a los atrapados por la inundación en Sorel.",
        ],
        [
            "Un ingeniero había advertido en marzo de grietas en la presa de Sorel.",
            "Ya en marzo un ingeniero había advertido de grietas en la presa de Sorel.",
        ],
        [
            "Los muertos tras la rotura de la presa de Sorel son ya 19 y hay cinco desaparecidos.",
            "Son ya 19 los muertos tras la rotura de la presa de Sorel, con cinco desaparecidos.",
        ],
        [
            "La fiscalía registró las oficinas de la empresa eléctrica dueña de la presa de Sorel.",
            "Las oficinas de la empresa eléctrica dueña de la presa de Sorel fueron registradas por la fiscalía.",
        ],
        [
            "El agua baja y las primeras familias vuelven a sus casas tras la inundación de Sorel.",
            "Las primeras familias vuelven a sus casas tras la inundación de Sorel porque baja el agua.",
        ],
    ],
    "others": [
        "El equipo Águilas del Norte ganó la final de copa por 2 a 1.",
        "La Dra. Ana Keller recibió el premio de la academia por su estudio sobre abejas.",
        "El gobierno quiere bajar los impuestos a la electricidad.",
        "¿Volverá el tranvía al centro? El ayuntamiento no lo sabe.",
        "«Nos vamos a casa», dijo el entrenador. Luego guardó silencio.",
        "La compañía de trenes suspende varios servicios en verano.",
        "Un museo muestra cuadros del siglo XVIII.",
        "El precio del café sube desde hace semanas.",
    ],
}

FRENCH = {
    "query": "inondation barrage Sorel",
    "outlets": ["Le Courrier de Sorel", "Radio Rivage", "La Dépêche du Nord"],
    "facts": [
        [
            "Un barrage proche de Sorel a cédé lundi après plusieurs jours de pluie.",
            "Le barrage de Sorel a cédé lundi après plusieurs jours de pluie, ont annoncé les pompiers.",
            "Après plusieurs jours de pluie, un barrage proche de Sorel a cédé lundi.",
        ],
        [
            "Au moins trois personnes sont mortes dans l'inondation de Sorel.",
            "La police confirme qu'au moins trois personnes sont mortes dans l'inondation de Sorel.",
        ],
        [
            "Quelque 4 000 habitants de Sorel ont été évacués vers des gymnases à cause de l'inondation.",
            "À cause de l'inondation, 4 000 habitants de Sorel ont été évacués vers des gymnases.",
        ],
        [
            "Le bilan de l'inondation de Sorel s'alourdit à douze morts.",
            "L'inondation de Sorel a fait douze morts, le bilan s'alourdit encore.",
        ],
        [
            "L'armée envoie des hélicoptères pour sauver sur les toits les habitants pris par l'inondation à Sorel.",
            "Des hélicoptères de l'armée sauvent sur les toits les habitants pris par l'inondation à Sorel.",
        ],
        [
            "Un ingénieur avait signalé dès mars des fissures dans le barrage de Sorel.",
            "Dès mars, un ingénieur avait signalé des fissures dans le barrage de Sorel.",
        ],
        [
            "Dix-neuf morts et cinq disparus après la rupture du barrage de Sorel, selon la préfecture.",
            "La rupture du barrage de Sorel a fait dix-neuf morts et cinq disparus, dit la préfecture.",
        ],
        [
            "Le parquet a perquisitionné les bureaux de l'exploitant du barrage de Sorel.",
            "Les bureaux de l'exploitant du barrage de Sorel ont été perquisitionnés par le parquet.",
        ],
        [
            "L'eau baisse et les premières familles rentrent chez elles après l'inondation de Sorel.",
            "Les premières familles rentrent chez elles après l'inondation de Sorel, car l'eau baisse.",
        ],
    ],
    "others": [
        "Le club des Aigles du Nord a gagné la finale de la coupe 2 à 1.",
        "M. Keller reçoit le prix de l'académie pour son étude sur les abeilles.",
        "Le gouvernement veut baisser les taxes sur l'électricité.",
        "Le tramway reviendra-t-il au centre ? La mairie n'en sait rien.",
        "« Nous rentrons », a dit l'entraîneur. Puis il s'est tu.",
        "La compagnie ferroviaire supprime plusieurs trains cet été.",
        "Un musée montre des tableaux du XVIIIe siècle.",
        "Le prix du café monte depuis des semaines.",
    ],
}
